"""What slots and values are called: by their spelling, by our words, by a lexicon that comes with the domain."""
import json
from dataclasses import replace

import pytest

from simulator.lexicon import load_lexicon, plural, spelled, words
from simulator.loader import load_domain
from simulator.speak import article, system_utterance
from simulator.understand import understand_system, understand_user
from tests.simulator.small_domains import LAPTOPS
from tests.simulator.strategies import domain_of, ontology_of, write_files
from tests.simulator.written import parse_act


# ---- what slots are called

@pytest.mark.parametrize("slot, noun", [
    ("batteryrating", "battery rating"), ("pricerange", "price range"), ("sysmemory", "system memory"),
    ("isforbusinesscomputing", "for business computing"), ("hasinternet", "internet"), ("wine_list", "wine list"),
    ("screensizerange", "screen size range"), ("zorbl", "zorbl"), ("batteryzorbl", "batteryzorbl"), ("has", "has")])
def test_names_of_slots_are_read_as_words(slot, noun):
    assert words(domain_of({"name": ("x",), slot: ("p", "q")}))[slot].noun == noun


def test_the_words_of_the_ontology_are_known_too():
    for name, value, noun in (("x", "p", "zorblflux"), ("x", "new flux", "zorbl flux"), ("new flux", "p", "zorblflux")):
        domain = domain_of({"name": (name,), "zorblflux": (value,)}, ("zorbl",))
        assert words(domain)["zorblflux"].noun == noun


def test_scraps_of_two_letters_are_no_words():
    assert words(domain_of({"name": ("x",), "xoyo": ("xo", "yo")}))["xoyo"].noun == "xoyo"


def test_a_name_is_spelt_with_the_fewest_words():
    known = {word: word.upper() for word in ("a", "b", "ab", "abc", "c", "cd", "d")}
    assert spelled("abcd", known) == ["AB", "CD"]
    assert spelled("abcde", {word: word for word in ("a", "b", "abc", "cde", "de")}) == ["abc", "de"]
    assert spelled("abc", known) == ["ABC"] and spelled("abx", known) == ["abx"]


@pytest.mark.parametrize("values, yes_no", [
    (("0", "1"), ("1", "0")), (("true", "false"), ("true", "false")), (("yes", "no"), ("yes", "no")),
    (("n", "y"), ("y", "n")), (("0", "1", "2"), (None, None)), (("1",), (None, None)), (("1", "no"), (None, None))])
def test_two_values_make_a_yes_no_slot(values, yes_no):
    its = words(domain_of({"name": ("x",), "usb": values}))["usb"]
    assert (its.yes, its.no) == yes_no
    assert [its.opposite(value) for value in (*yes_no, "maybe")] == [*reversed(yes_no), None]


def test_the_table_tells_about_slots_that_cannot_be_wished():
    venues = [{"name": "x", "area": "north", "usb": usb, "hdmi": hdmi}
              for usb, hdmi in (("1", "1"), ("", "2"), ("0", "0"))]
    domain = domain_of({"name": ("x",), "area": ("north",)}, ("usb", "hdmi"), venues)
    assert words(domain)["usb"].yes == "1" and words(domain)["hdmi"].yes is None


def test_our_clauses_are_for_slots_of_their_kind():
    its = words(domain_of({"name": ("x",), "dogsallowed": ("small", "large"), "goodformeal": ("0", "1"),
                           "near": ("soma",)}))
    assert (its["dogsallowed"].verb, its["dogsallowed"].phrase) == ("have", "a {} dogs allowed")
    assert (its["goodformeal"].verb, its["goodformeal"].phrase) == ("be", "meal")
    assert (its["near"].verb, its["near"].phrase) == ("be", "near {}")


def test_plurals_and_articles():
    assert plural("stars") and not any(map(plural, ("address", "class", "rating", "s")))
    for noun in ("apple", "8 gb memory", "11 inch screen", "18 inch screen", "ultrabook", "a++ rating"):
        assert article(noun) == f"an {noun}"
    for noun in ("pear", "1 year warranty", "16 gb memory", "usb port", "unit", "118 inch screen", "+"):
        assert article(noun) == f"a {noun}"


# ---- a lexicon that comes with the domain

def lexicon_of(folder, entries, domain=LAPTOPS):
    path = folder / "lexicon.json"
    if entries is not None:
        path.write_text(entries if isinstance(entries, str) else json.dumps(entries), encoding="utf-8")
    return load_lexicon(path, domain)


def test_a_lexicon_changes_what_is_said_and_understood(tmp_path):
    entries = {"sysmemory": {"noun": "Memory", "also": "RAM, working memory"},
               "driverange": {"clause": "come with a {} drive", "values": {"small": "with little space, tiny"}},
               "weightrange": {"adjectives": {"heavy": "solid, massive"}, "ask": "how heavy is it"},
               "isforbusinesscomputing": {"clause": "suit the office"}}
    domain = replace(LAPTOPS, lexicon=lexicon_of(tmp_path, entries))
    for act, english in (("request(sysmemory)", "Which memory would suit you?"),
                         ("confirm(driverange=small)", "It should come with little space, is that right?"),
                         ("confirm(driverange=large)", "It should come with a large drive, is that right?"),
                         ("confirm(weightrange=heavy)", "It should be solid, is that right?"),
                         ("confirm(weightrange=dontcare)", "It may be in any weight range, is that right?"),
                         ("confirm(isforbusinesscomputing=0)", "It should not suit the office, is that right?"),
                         ("request(isforbusinesscomputing)", "Should it suit the office?"),
                         ("inform(name=none, isforbusinesscomputing=0, weightrange=heavy, driverange=large)",
                          "I am sorry, there is no solid laptop not suiting the office coming with a large drive.")):
        assert system_utterance(parse_act(act), domain) == english
        assert understand_system(english, domain) == parse_act(act)
    for text, act in (("8gb of ram", "inform(sysmemory=8 gb)"), ("a tiny one", "inform(driverange=small)"),
                      ("something massive", "inform(weightrange=heavy)"), ("how heavy is it", "request(weightrange)")):
        assert understand_user(text, domain) == (parse_act(act),)
    assert words(LAPTOPS)["sysmemory"].noun == "system memory"           # the domain without it is as before


def test_a_lexicon_comes_with_the_files_of_a_domain(tmp_path):
    slots = {"informable": {"name": ["x"], "utility": ["p"]}, "requestable": ["name", "utility"]}
    files = write_files(tmp_path, "Shops", ontology_of(system_requestable=["utility"], **slots), slots["requestable"],
                        [("x", "p")])
    lexicon = tmp_path / "words.json"
    lexicon.write_text('{"utility": {"noun": "use"}}')
    assert words(load_domain(*files, lexicon))["utility"].noun == "use"
    assert words(load_domain(*files))["utility"].noun == "utility"


@pytest.mark.parametrize("entries, message", [
    (None, "lexicon is .*lexicon.json, expected a JSON file: .*No such file"),
    ("{", "lexicon is .*lexicon.json, expected a JSON file"), ("[" * 100_000, "expected a JSON file"),
    ([], r"expected entries for name, isfor"),
    ({"batery": {}}, "holds 'batery', expected entries for name"),
    ({"platform": "system"}, 'platform is "system", expected texts'),
    ({"platform": {"word": "system"}}, 'platform is {"word": "system"}, expected texts for noun, also, ask, clause'),
    ({"platform": {"noun": 3}}, 'platform is {"noun": 3}, expected'), ({"platform": {"noun": " , "}}, "expected texts"),
    ({"platform": {"values": "system"}}, "objects of texts for values"),
    ({"platform": {"values": {"windows 8": 8}}}, "expected"),
    ({"platform": {"adjectives": ["a"]}}, "expected"), ({"platform": {"noun": {"a": "b"}}}, "expected"),
    ({"platform": {"clause": "run"}}, "1 times {}"), ({"platform": {"clause": "{}"}}, "a verb and more"),
    ({"platform": {"clause": "run {} or {}"}}, "1 times {}"),
    ({"isforbusinesscomputing": {"clause": "be for {}"}}, "0 times {}")])
def test_a_wrong_lexicon_is_refused_in_one_sentence(tmp_path, entries, message):
    with pytest.raises(ValueError, match=message) as refusal:
        lexicon_of(tmp_path, entries)
    assert "\n" not in str(refusal.value)
