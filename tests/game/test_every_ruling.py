"""Each rule of the rule book is decided somewhere in the code and tested by name."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = [*(f"B{n}" for n in range(1, 20)), *(f"C{n}" for n in range(1, 13)), *(f"M{n}" for n in range(1, 15))]


@pytest.mark.parametrize("rule", RULES)
def test_the_code_says_where_it_decides(rule: str) -> None:
    assert any(re.search(rf"\b{rule}\b", path.read_text()) for path in (ROOT / "src").rglob("*.py"))


@pytest.mark.parametrize("rule", RULES)
def test_a_test_bears_its_name(rule: str) -> None:
    name = re.compile(rf"def test_{rule.lower()}_")
    assert any(name.search(path.read_text()) for path in Path(__file__).parent.glob("test_*.py"))
