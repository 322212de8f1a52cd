"""The HTTP calls about oneself. What they say is in :mod:`slamomatic.server.calls`; docs/protocol.md explains it."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from aiohttp import web

from slamomatic.server import wire
from slamomatic.server.answers import answer
from slamomatic.server.calls import ChangeMe, NewGuest, PasskeyAnswer, Recover, SignOut
from slamomatic.server.clock import now_us
from slamomatic.server.limits import MINUTE, Gate, Limits
from slamomatic.server.people.passkeys import Passkeys
from slamomatic.server.people.people import People, nobody
from slamomatic.server.site import Site
from slamomatic.server.storage.people import PersonRow
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import RefusalCode

FILE_NAME = "hands-down-me.json"
"""What a browser calls the export."""

_read_guest, _read_change = wire.reader(NewGuest), wire.reader(ChangeMe)
_read_answer, _read_recover, _read_sign_out = wire.reader(PasskeyAnswer), wire.reader(Recover), wire.reader(SignOut)


class PeopleCalls:
    """The routes below ``/api/me``, and the ways to come back."""

    def __init__(
        self, people: People, admit: Callable[[web.Request], str], site: Site, limits: Limits | None = None
    ) -> None:
        """``admit``: the address of whoever asks, if he may ask now."""
        limits = limits or Limits()
        self._people = people
        self._passkeys = Passkeys(people, site)
        self._admit = admit
        self._newcomers, self._proofs, self._changes = map(Gate, (limits.newcomers, limits.proofs, limits.changes))
        self._tidied_us = now_us()

    def register(self, router: web.UrlDispatcher, base: str) -> None:
        """Put the routes below this path."""
        router.add_post(f"{base}/api/me", self.become)
        router.add_get(f"{base}/api/me", self.look)
        router.add_patch(f"{base}/api/me", self.change)
        router.add_delete(f"{base}/api/me", self.delete)
        router.add_get(f"{base}/api/me/export", self.export)
        router.add_post(f"{base}/api/me/signout", self.sign_out)
        router.add_post(f"{base}/api/me/codes", self.make_codes)
        router.add_post(f"{base}/api/me/passkeys/options", self.ask_for_new)
        router.add_post(f"{base}/api/me/passkeys", self.add)
        router.add_delete(f"{base}/api/me/passkeys/{{id}}", self.remove)
        router.add_post(f"{base}/api/passkeys/options", self.ask_for_known)
        router.add_post(f"{base}/api/passkeys", self.sign_in)
        router.add_post(f"{base}/api/recover", self.recover)

    # Oneself.

    async def become(self, request: web.Request) -> web.Response:
        """``POST /api/me``."""
        address = self._admit(request)
        wish = _read_guest(await request.read())
        self._take(self._newcomers, address, "too many new guests at once from where you are: wait a little")
        return answer(await self._people.become_guest(wish.name), HTTPStatus.CREATED)

    async def look(self, request: web.Request) -> web.Response:
        """``GET /api/me``."""
        return answer(await self._people.profile((await self._me(request)).id))

    async def change(self, request: web.Request) -> web.Response:
        """``PATCH /api/me``."""
        me = await self._me(request)
        wish = _read_change(await request.read())
        self._take_change(me)
        return answer(await self._people.change(me.id, wish.name, wish.avatar))

    async def delete(self, request: web.Request) -> web.Response:
        """``DELETE /api/me``."""
        me = await self._me(request, even_banned=True)
        await self._people.delete_for_good(me.id)
        return _done()

    async def export(self, request: web.Request) -> web.StreamResponse:
        """``GET /api/me/export``."""
        me = await self._me(request, even_banned=True)
        self._take_change(me)
        response = web.StreamResponse(
            headers={"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{FILE_NAME}"'}
        )
        response.content_type = "application/json"
        pieces = self._people.export(me.id)
        first = await anext(pieces)  # what goes wrong before anything is sent can still be said
        await response.prepare(request)
        await response.write(first)
        async for piece in pieces:
            await response.write(piece)
        await response.write_eof()
        return response

    async def sign_out(self, request: web.Request) -> web.Response:
        """``POST /api/me/signout``."""
        me = await self._me(request, even_banned=True)
        wish = _read_sign_out(await request.read() or b"{}")
        await self._people.sign_out(me, everywhere_else=wish.everywhere)
        return _done()

    # Ways in.

    async def make_codes(self, request: web.Request) -> web.Response:
        """``POST /api/me/codes``."""
        me = await self._me(request)
        self._take_change(me)
        return answer(await self._people.make_codes(me.id))

    async def ask_for_new(self, request: web.Request) -> web.Response:
        """``POST /api/me/passkeys/options``."""
        return answer(await self._passkeys.ask_for_new(await self._me(request), request))

    async def add(self, request: web.Request) -> web.Response:
        """``POST /api/me/passkeys``."""
        me = await self._me(request)
        said = _read_answer(await request.read())
        self._take_change(me)
        return answer(await self._passkeys.add(me, said))

    async def remove(self, request: web.Request) -> web.Response:
        """``DELETE /api/me/passkeys/{id}``."""
        me = await self._me(request)
        self._take_change(me)
        return answer(await self._passkeys.remove(me.id, request.match_info["id"]))

    async def ask_for_known(self, request: web.Request) -> web.Response:
        """``POST /api/passkeys/options``."""
        self._admit(request)
        return answer(await self._passkeys.ask_for_known(request))

    async def sign_in(self, request: web.Request) -> web.Response:
        """``POST /api/passkeys``."""
        self._prove(self._admit(request))
        said = _read_answer(await request.read())
        return answer(await self._passkeys.sign_in(said, await self._people.who(request)))

    async def recover(self, request: web.Request) -> web.Response:
        """``POST /api/recover``."""
        self._prove(self._admit(request))
        said = _read_recover(await request.read())
        return answer(await self._people.recover(said.code, await self._people.who(request)))

    # Who may.

    async def _me(self, request: web.Request, *, even_banned: bool = False) -> PersonRow:
        self._admit(request)
        me = await self._people.who(request, even_banned=even_banned)
        if me is None:
            raise nobody()
        return me

    def _take_change(self, me: PersonRow) -> None:
        self._take(self._changes, me.id, "too many changes at once: wait a little")

    def _prove(self, address: str) -> None:
        self._take(self._proofs, address, "too many tries from where you are: wait a little, then look again")

    def _take(self, gate: Gate, asker: str, text: str) -> None:
        now = now_us()
        if now - self._tidied_us > MINUTE:
            self._tidied_us = now
            for each in (self._newcomers, self._proofs, self._changes):
                each.forget(now)
        if not gate.take(asker, now):
            raise Refusal(RefusalCode.TOO_FAST, text)


def _done() -> web.Response:
    return web.Response(status=HTTPStatus.NO_CONTENT)
