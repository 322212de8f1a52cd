/**
 * Passkeys: asking the browser to make one, or to prove one.
 *
 * Laws: the server's options and the browser's answer go through in WebAuthn's JSON form, converted by the browser
 * where it can and by hand where it cannot yet; what the browser throws is told in words that say what to do;
 * where there can be no passkey one is told so before one has pressed anything.
 */
import type { PasskeyOptions } from "../wire.ts";

/** Nothing came of it; the text is for people. */
export class NoPasskey extends Error {}

/** Why there can be no passkey here; `null`: there can. */
export function whyNoPasskeys(): string | null {
  if (!window.isSecureContext) {
    return "Passkeys need a secure address (https), and this page has come by a plain one.";
  }
  if (typeof PublicKeyCredential === "undefined" || !navigator.credentials) {
    return "This browser knows no passkeys.";
  }
  return null;
}

/**
 * Make a passkey on this device.
 *
 * @throws {NoPasskey} nothing came of it.
 */
export async function makePasskey({ options }: PasskeyOptions): Promise<object> {
  const publicKey = creationOptions(options as PublicKeyCredentialCreationOptionsJSON);
  return answer(() => navigator.credentials.create({ publicKey }));
}

/**
 * Prove a passkey of this device.
 *
 * @throws {NoPasskey} nothing came of it.
 */
export async function provePasskey({ options }: PasskeyOptions): Promise<object> {
  const publicKey = requestOptions(options as PublicKeyCredentialRequestOptionsJSON);
  return answer(() => navigator.credentials.get({ publicKey }));
}

/** What this device is called in a list of passkeys, as long as its owner says nothing else. */
export function deviceName(agent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([sign]) => sign.test(agent))?.[1];
  const browser = find([
    [/\bEdg/, "Edge"],
    [/\bOPR\//, "Opera"],
    [/\bFirefox\/|\bFxiOS\//, "Firefox"],
    [/Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
    [/\bSafari\//, "Safari"],
  ]);
  const system = find([
    [/\biPhone\b/, "iPhone"],
    [/\biPad\b/, "iPad"],
    [/\bAndroid\b/, "Android"],
    [/\bCrOS\b/, "ChromeOS"],
    [/\bMac OS X\b/, "Mac"],
    [/\bWindows\b/, "Windows"],
    [/\bLinux\b/, "Linux"],
  ]);
  return [browser ?? "A browser", system].filter(Boolean).join(", ");
}

async function answer(ask: () => Promise<Credential | null>): Promise<object> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (error) {
    throw new NoPasskey(told(error));
  }
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey(TROUBLES.NotAllowedError);
  return credentialJSON(credential);
}

const TROUBLES = {
  NotAllowedError: "Nothing was done: no passkey was chosen in time.",
  InvalidStateError: "This device has a passkey for you already.",
  SecurityError:
    "Passkeys do not work at this address. Open the game by the name of its host, not by a number.",
  NotSupportedError: "This device cannot keep passkeys.",
} as const;

function told(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return TROUBLES.NotAllowedError;
  if (name in TROUBLES) return TROUBLES[name as keyof typeof TROUBLES];
  return `Nothing was done: ${error instanceof Error ? error.message : String(error)}`;
}

// By hand, for browsers older than WebAuthn's JSON form.

/** Options to make a passkey, as the browser takes them. */
export function creationOptions(
  options: PublicKeyCredentialCreationOptionsJSON,
): PublicKeyCredentialCreationOptions {
  const { parseCreationOptionsFromJSON: parse } = PublicKeyCredential;
  if (parse) return parse.call(PublicKeyCredential, options);
  const {
    challenge,
    user,
    excludeCredentials,
    hints: _,
    attestation,
    extensions: __,
    ...rest
  } = options;
  return {
    ...rest,
    ...(attestation && { attestation: attestation as AttestationConveyancePreference }),
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(descriptor) }),
  } as PublicKeyCredentialCreationOptions;
}

/** Options to prove a passkey, as the browser takes them. */
export function requestOptions(
  options: PublicKeyCredentialRequestOptionsJSON,
): PublicKeyCredentialRequestOptions {
  const { parseRequestOptionsFromJSON: parse } = PublicKeyCredential;
  if (parse) return parse.call(PublicKeyCredential, options);
  const { challenge, allowCredentials, hints: _, extensions: __, ...rest } = options;
  return {
    ...rest,
    challenge: bytes(challenge),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(descriptor) }),
  } as PublicKeyCredentialRequestOptions;
}

/** The browser's answer, as the server takes it. */
export function credentialJSON(credential: PublicKeyCredential): object {
  try {
    if (credential.toJSON) return credential.toJSON();
  } catch {
    // Some password managers answer in the browser's stead, and cannot do this.
  }
  const { response } = credential;
  const parts: Record<string, unknown> = { clientDataJSON: text(response.clientDataJSON) };
  if ("attestationObject" in response) {
    const made = response as AuthenticatorAttestationResponse;
    parts.attestationObject = text(made.attestationObject);
    parts.transports = made.getTransports?.() ?? [];
  } else {
    const proven = response as AuthenticatorAssertionResponse;
    parts.authenticatorData = text(proven.authenticatorData);
    parts.signature = text(proven.signature);
    if (proven.userHandle) parts.userHandle = text(proven.userHandle);
  }
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? null,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: parts,
  };
}

function descriptor({
  id,
  ...rest
}: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return { ...rest, id: bytes(id) } as PublicKeyCredentialDescriptor;
}

/** Bytes from base64url. */
function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Bytes as base64url, without padding. */
function text(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
