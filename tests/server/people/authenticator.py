"""An authenticator in software: it makes real keys and signs with them, so what the server believes is proved."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """Holds one passkey, as a phone does."""

    origin: str
    host: str = ""
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user: str = ""
    count: int = 1
    counts: bool = True
    """Passkeys that are synced between devices count nothing: theirs is always 0."""

    @property
    def name(self) -> str:
        return bytes_to_base64url(self.id)

    def create(self, options: dict[str, Any], **lies: Any) -> dict[str, Any]:
        """What ``navigator.credentials.create()`` would answer; lies stand in for what the browser saw."""
        self.user, self.host = options["user"]["id"], options["rp"]["id"]
        public = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        credential = len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        told = self._data(PRESENT | VERIFIED | ATTESTED) + bytes(16) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": told})
        seen = self._seen("webauthn.create", options["challenge"], **lies)
        response = {"clientDataJSON": bytes_to_base64url(seen), "attestationObject": bytes_to_base64url(attestation)}
        return self._credential({**response, "transports": ["internal"]})

    def get(self, options: dict[str, Any], **lies: Any) -> dict[str, Any]:
        """What ``navigator.credentials.get()`` would answer."""
        self.count += 1
        seen = self._seen("webauthn.get", options["challenge"], **lies)
        told = self._data(PRESENT | VERIFIED)
        signature = self.key.sign(told + hashlib.sha256(seen).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(
            {
                "clientDataJSON": bytes_to_base64url(seen),
                "authenticatorData": bytes_to_base64url(told),
                "signature": bytes_to_base64url(signature),
                "userHandle": self.user,
            }
        )

    def copy(self) -> Authenticator:
        """What a thief would have who copied the device as it is."""
        return Authenticator(self.origin, self.host, self.id, self.key, self.user, self.count, self.counts)

    def _data(self, flags: int) -> bytes:
        count = self.count if self.counts else 0
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + count.to_bytes(4, "big")

    def _seen(self, kind: str, challenge: str, **lies: Any) -> bytes:
        assert len(base64url_to_bytes(challenge)) >= 16
        seen = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps({**seen, **lies}).encode()

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": self.name,
            "rawId": self.name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
            "authenticatorAttachment": "platform",
        }
