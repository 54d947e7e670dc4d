"""What people type about laptops, hotels and anything else."""
import pytest

from simulator.acts import Act, Item
from simulator.lexicon import words
from simulator.phrases import tokens
from simulator.speak import system_utterance
from simulator.understand import understand_system, understand_user
from tests.simulator.small_domains import HOTELS, LAPTOPS, typed
from tests.simulator.strategies import act, domain_of


def test_every_value_of_every_slot_is_understood_before_and_after_its_word():
    for domain in (LAPTOPS, HOTELS):
        for slot in domain.system_requestable:
            noun, yes = words(domain)[slot].noun, words(domain)[slot].yes
            for value in domain.informable[slot] if not yes else ():
                for text in (f"{value} {noun}", f"{noun} {value}", f"the {noun} should be {value}",
                             f"{slot} of {value}", f"i want {value} for the {noun}"):
                    if value != "a":                                     # an article, unless it is said with its slot
                        assert understand_user(text, domain) == (Act("inform", (Item(slot, value),)),), text


# what the system said: what the person typed -> what is understood
COMPUTERS = """
hello(): I need a laptop with a good battery -> inform(type=laptop, batteryrating=good)
hello(): a cheap one with 4gb of memory and Windows 8 -> inform(pricerange=budget, sysmemory=4 gb, platform=windows 8)
hello(): windows 8.1 pro. 8 gb -> inform(platform=windows 8.1 pro, sysmemory=8 gb)
hello(): medium drive range and heavy -> inform(driverange=medium, weightrange=heavy)
hello(): medium weight, large drive -> inform(weightrange=medium, driverange=large)
hello(): do you know a laptop for business computing -> inform(type=laptop, isforbusinesscomputing=1)
hello(): I don't need business computing -> inform(isforbusinesscomputing=0)
hello(): I don't care about business computing -> inform(isforbusinesscomputing=dontcare)
inform(name=tecra): is it for business computing? -> confirm(isforbusinesscomputing=1)
inform(name=tecra): is Tecra Pro for business computing? -> inform(name=tecra pro) | confirm(isforbusinesscomputing=1)
inform(name=tecra): tell me whether it is for business computing -> request(isforbusinesscomputing)
request(isforbusinesscomputing): yes please -> inform(isforbusinesscomputing=1)
request(isforbusinesscomputing): ok -> inform(isforbusinesscomputing=1)
request(isforbusinesscomputing): no -> inform(isforbusinesscomputing=0)
request(isforbusinesscomputing): yes, and moderately priced -> inform(isforbusinesscomputing=1, pricerange=moderate)
request(isforbusinesscomputing): no, for business computing -> negate(isforbusinesscomputing=1)
request(isforbusinesscomputing): it does not matter -> inform(=dontcare)
request(platform): yes -> affirm()
inform(name=tecra): what is the weight, the weight range and the memory? -> request(weight, weightrange, sysmemory)
"""
STAYS = """
hello(): a hotel with internet and without dogs -> inform(type=hotel, hasinternet=true, dogsallowed=no)
hello(): no internet please -> inform(hasinternet=false)
hello(): internet -> inform(hasinternet=true)
hello(): with internet instead -> deny(hasinternet=false, hasinternet=true)
hello(): free parking instead -> inform(hasparking=free)
hello(): internet or not -> inform(hasinternet=dontcare)
confirm(hasinternet=true): no internet -> inform(hasinternet=false)
confirm(hasinternet=false): no, with internet -> negate(hasinternet=true)
inform(name=castle): does it have internet? -> confirm(hasinternet=true)
inform(name=castle): does it not have internet? -> confirm(hasinternet=false)
inform(name=castle): do they accept credit cards, and is it in soma -> confirm(acceptscreditcards=1, area=soma)
hello(): an a++ rating -> inform(ecorating=a++)
request(ecorating): A+ -> inform(ecorating=a+)
hello(): a hotel in soma -> inform(type=hotel, area=soma)
hello(): 4 stars, not in soma -> inform(stars=4) | deny(area=soma)
inform(name=castle): phone and usb -> request(phone, usb)
"""


@pytest.mark.parametrize("domain, system_act, text, meant", [*typed(LAPTOPS, COMPUTERS), *typed(HOTELS, STAYS)])
def test_people_are_understood(domain, system_act, text, meant):
    assert understand_user(text, domain, system_act) == meant


def test_what_does_not_matter_may_be_a_long_list():
    slots = ("platform", "sysmemory", "batteryrating", "weightrange", "driverange", "pricerange")
    text = " and ".join(words(LAPTOPS)[slot].noun for slot in slots) + " do not matter"
    assert understand_user(text, LAPTOPS) == (Act("inform", tuple(Item(slot, "dontcare") for slot in slots)),)


def test_a_word_of_several_meanings_is_an_adjective_before_a_value_before_a_name():
    domain = domain_of({"name": ("red", "cheap"), "colour": ("red", "cheap"), "pricerange": ("cheap",)})
    for text, meant in (("red", "inform(colour=red)"), ("cheap", "inform(pricerange=cheap)"),
                      ("the one called red", "inform(name=red)"), ("cheap colour", "inform(colour=cheap)")):
        assert understand_user(text, domain) == (act(meant),)


def test_a_short_name_that_several_slots_have_means_none_of_them():
    assert understand_user("which range?", LAPTOPS) == () and understand_user("which rating?", LAPTOPS) == (
        act("request(batteryrating)"),)


def test_a_yes_in_the_table_alone_is_asked_and_told():
    venues = [{"name": name, "area": "north", "usb": usb} for name, usb in (("x", "1"), ("y", "0"))]
    domain = domain_of({"name": ("x", "y"), "area": ("north",)}, ("usb",), venues)
    offer = act("inform(name=y, usb=0)")
    assert system_utterance(offer, domain) == "Y is a laptop without usb."
    assert understand_system("Y is a laptop without usb.", domain) == offer
    for text in ("usb", "does it have usb?", "with usb", "could you tell me whether it has usb"):
        assert understand_user(text, domain) == (act("request(usb)"),)


def test_numbers_and_words_are_apart():
    assert tokens("4GB, i5 & A++ 8.1. Joe's") == ["4", "gb", ",", "i", "5", "and", "a++", "8.1", ".", "joes"]
