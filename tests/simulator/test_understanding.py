"""What people type: their sentences mean what they seem to mean."""
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.acts import Act
from simulator.phrases import phrases
from simulator.understand import understand_system, understand_user
from tests.simulator.small_domains import shop, typed
from tests.simulator.strategies import DOMAIN, act

# what the system said: what the person typed -> what is understood
RESTAURANTS = """
# wishes, in many words and few
hello(): I'm looking for a cheap thai place in the north part of town -> inform(pricerange=cheap, food=thai, area=north)
hello(): Hi! can you find me an ITALIAN restaurant downtown? -> hello(food=italian, type=restaurant, area=centre)
hello(): are there any chinese restaurants? -> inform(food=chinese, type=restaurant)
hello(): I need a place to eat -> inform(type=restaurant)
request(food): thai -> inform(food=thai)
request(food): asian -> inform(food=asian oriental)
request(pricerange): not too expensive -> inform(pricerange=moderate)
request(food): thai or chinese -> inform(food=thai, food=chinese)
# the longest match wins
request(food): modern european -> inform(food=modern european)
request(food): european -> inform(food=european)
request(food): north american food -> inform(food=north american)
request(food): american, north -> inform(food=north american, area=north)
hello(): tell me about Plate & Pencil... -> inform(name=plate and pencil)
hello(): brass heron -> inform(name=the brass heron)
hello(): pizza in the city centre -> inform(food=italian, area=centre)
# not caring
request(area): I don't care -> inform(=dontcare)
request(area): anything -> inform(=dontcare)
request(area): anywhere is fine -> inform(area=dontcare)
request(food): any area -> inform(area=dontcare)
hello(): the price does not matter -> inform(pricerange=dontcare)
hello(): I don't care about the food or the area, but cheap -> inform(food=dontcare, area=dontcare, pricerange=cheap)
select(food=thai, food=greek): either -> inform(food=dontcare)
request(area): anything cheap -> inform(pricerange=cheap)
request(area): no idea -> inform(=dontcare)
request(area): both, what is the phone number? -> request(phone)
hello(): area any -> inform(area=dontcare)
hello(): food: any, price: whatever, area north -> inform(food=dontcare, pricerange=dontcare, area=north)
hello(): price any thai -> inform(food=thai)
inform(name=sitara): tell me the area or whatever -> request(area)
hello(): food price area do not matter -> inform(food=dontcare, pricerange=dontcare, area=dontcare)
confirm(food=thai): is it cheap? any -> confirm(pricerange=cheap)
hello(): no chinese food, any -> deny(food=chinese)
confirm(food=thai): yes, any -> affirm()
# yes and no
confirm(food=thai): yes -> affirm()
confirm(food=thai): OK -> affirm()
confirm(pricerange=cheap): yes, and cheap please, what is the phone number? -> affirm(pricerange=cheap) | request(phone)
confirm(food=thai): no -> negate()
confirm(pricerange=expensive): no, cheap -> negate(pricerange=cheap)
confirm(food=thai): no turkish -> negate(food=turkish)
reqmore(): no thank you -> negate()
# not this
confirm(food=chinese): not chinese, thai -> deny(food=chinese, food=thai)
hello(): no chinese food please -> deny(food=chinese)
hello(): anything but chinese -> deny(food=chinese)
request(area): anywhere but the north -> deny(area=north)
request(area): none of them -> negate()
hello(): not chinese but cheap -> inform(pricerange=cheap) | deny(food=chinese)
hello(): I don't know, thai food -> inform(food=thai)
inform(name=sitara): thai instead of indian -> deny(food=indian, food=thai)
inform(name=sitara): I do not want that -> negate()
# questions
inform(name=sitara): What's the address and the phone number? -> request(addr, phone)
inform(name=sitara): postcode -> request(postcode)
inform(name=sitara): price? -> request(pricerange)
inform(name=sitara): what kind of food do they serve, and in which area? -> request(food, area)
inform(name=sitara): how much is it -> request(pricerange)
inform(name=sitara): where is Sitara -> request(addr, name=sitara)
inform(name=sitara): can you tell me more? -> request(description)
inform(name=sitara): what is it called -> request(name)
inform(name=sitara): the phone number of the restaurant, thanks -> request(phone)
inform(name=sitara): is it cheap? -> confirm(pricerange=cheap)
inform(name=sitara): does it serve thai food, and is it in the north? -> confirm(food=thai, area=north)
hello(): Is the Brass Heron expensive? -> inform(name=the brass heron) | confirm(pricerange=expensive)
hello(): do you know a cheap thai restaurant? -> inform(pricerange=cheap, food=thai, type=restaurant)
hello(): do you know the phone number -> request(phone)
# something else
inform(name=sitara): anything else? -> reqalts()
inform(name=sitara): ok thanks, are there any other restaurants? -> reqalts()
inform(name=sitara): something else in the north -> reqalts(area=north)
inform(name=sitara): I'd prefer a different area -> reqalts()
# the words around it
inform(name=sitara): I'll take it -> ack()
inform(name=sitara): thanks, goodbye -> bye()
reqmore(): no, that's all -> negate() | bye()
reqmore(): nothing else -> bye()
hello(): a cheap restaurant, that's all -> inform(pricerange=cheap, type=restaurant)
inform(name=sitara): phone and address, that is it -> request(phone, addr)
inform(name=sitara): a nice restaurant, bye -> inform(type=restaurant) | bye()
hello(): pardon? -> repeat()
# nothing
hello():  ->
confirm(food=thai): ?! ,,, ->
hello(): colourless green ideas ->
hello(): 我要吃饭 🙂 ->
hello(): Café, THAÏ s’il vous plaît -> inform(food=thai)
hello(): I don’t care -> inform(=dontcare)
"""


OTHER_NAMES = ("pizza hut", "pizza hut city centre", "the good luck chinese food takeaway", "so", "pizza", "hut")
OTHERS = replace(DOMAIN, informable={**DOMAIN.informable, "name": OTHER_NAMES})
NAMES = """
# names made of other words are names
hello(): pizza hut city centre -> inform(name=pizza hut city centre)
hello(): pizza hut in the centre -> inform(name=pizza hut, area=centre)
hello(): phone of the good luck chinese food takeaway -> request(phone, name=the good luck chinese food takeaway)
# an everyday word comes first, unless it must be a name
hello(): so, thai food -> inform(food=thai)
hello(): the place called so -> inform(name=so)
"""
SHOP = """
# a value of several slots takes the slot that is spoken of, good means well done where nothing is
request(weightrange): medium -> inform(weightrange=medium)
request(driverange): medium -> inform(driverange=medium)
hello(): a driverange of medium and weightrange medium -> inform(driverange=medium, weightrange=medium)
hello(): medium for the weightrange -> inform(weightrange=medium)
hello(): weightrange, medium -> inform(weightrange=medium)
hello(): medium, for the weightrange -> inform(weightrange=medium)
inform(name=shop 1): good -> ack()
request(batteryrating): good -> inform(batteryrating=good)
hello(): the batteryrating should be good -> inform(batteryrating=good)
"""


@pytest.mark.parametrize("domain, system_act, text, meant", [
    *typed(DOMAIN, RESTAURANTS), *typed(OTHERS, NAMES), *typed(shop(), SHOP)])
def test_people_are_understood(domain, system_act, text, meant):
    assert understand_user(text, domain, system_act) == meant


def test_names_that_begin_alike_are_told_apart_when_the_system_speaks():
    for name in OTHER_NAMES:
        assert understand_system(f"How about {name}?", OTHERS) == act(f"inform(name={name})")
    text = "Apart from Pizza Hut City Centre, Pizza and Pizza Hut, there is no restaurant."
    assert understand_system(text, OTHERS) == act(
        "inform(name=none, name!=pizza hut city centre, name!=pizza, name!=pizza hut)")


def test_names_do_not_sound_like_anything_else():
    words = {word for name in DOMAIN.informable["name"] for word in name.split()}
    assert [word for word in sorted(words) for c in phrases(DOMAIN).get(word, ()) if c.slot != "name"] == []


@given(st.text(max_size=80))
def test_any_text_is_read_without_complaint(text):
    assert all(isinstance(said, Act) for said in understand_user(text, DOMAIN, act("confirm(food=thai)")))
    assert isinstance(understand_system(text, DOMAIN), Act)


@given(st.lists(st.sampled_from(sorted(phrases(DOMAIN)) + [",", ".", "?", "and"]), max_size=12),
       st.sampled_from(["hello()", "request(area)", "confirm(food=thai)", "select(area=north, area=south)"]))
def test_any_mixture_of_known_words_makes_acts_that_can_be_written_down(phrases, system_act):
    for said in understand_user(" ".join(phrases), DOMAIN, act(system_act)):
        assert act(str(said)) == said


def test_a_very_long_line_is_read_to_its_end():
    text = "well " * 9_000 + "thai food, " * 300 + "in the north"
    assert understand_user(text, DOMAIN) == (act("inform(food=thai, area=north)"),)
    assert understand_user("phone " * 9_000, DOMAIN) == (act("request(phone)"),)
