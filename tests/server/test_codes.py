from slamomatic.server import codes


def test_a_code_has_no_two_signs_that_look_alike_and_spells_no_word() -> None:
    for alike in ("0OQ", "0OD", "1IL", "2Z", "5S", "8B", "UV"):
        assert sum(sign in codes.ALPHABET for sign in alike) <= 1, alike
    assert not set("AEIOU") & set(codes.ALPHABET)


def test_a_code_is_found_however_it_was_typed() -> None:
    code = codes.new_code()
    assert len(code) >= 6
    assert codes.tidied(f"  {code.lower()} ") == code


def test_tickets_are_long_and_never_the_same() -> None:
    tickets = {codes.new_ticket() for _ in range(1000)}
    assert len(tickets) == 1000
    assert all(len(ticket) >= 32 for ticket in tickets)
