"""Acts as tests write them: the inverse of str(act)."""
import re

from simulator.acts import Act, Item

_ITEM = r"""\s*(?=[\w!=])(\w*)\s*(?:(!?=)\s*("(?:[^"\\]|\\.)*"|[^,=!()"\\]+))?\s*"""     # slot, sign, value
_ACT = re.compile(rf"\s*(\w+)\s*\(((?:{_ITEM},)*{_ITEM}|\s*)\)\s*", re.DOTALL)


def parse_act(text: str) -> Act:
    """parse_act(str(act)) == act, items in the same order."""
    whole = _ACT.fullmatch(text)
    assert whole, f"act is {text!r}, expected the form inform(food=thai, area!=north, phone)"
    items = []
    for slot, sign, value in re.findall(_ITEM, whole[2], re.DOTALL):
        value = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL) if value[:1] == '"' else value.strip()
        items.append(Item(slot or None, value if sign else None, sign == "!="))
    return Act(whole[1], tuple(items))
