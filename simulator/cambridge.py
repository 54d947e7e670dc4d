"""The built-in domain: 110 invented restaurants in Cambridge, shaped like the benchmark's table.

How many venues serve which food, where and at what price is as in the benchmark, and so is how often a detail is
missing; who they are is made up (the phone numbers come from the range that is reserved for fiction).
"""
from functools import lru_cache

from simulator.domain import Domain

AREAS = ("centre", "north", "west", "south", "east")
PRICES = {"C": "cheap", "M": "moderate", "E": "expensive"}
UNKNOWN = "not available"     # how the table spells a missing detail; some are just empty

# food: "area prices, ...": names, in the order of the cells (C3 = three cheap venues)
VENUES = {
    "african": ("centre E1", "the baobab table"),
    "asian oriental": ("centre C2 M1 E1, north E1",
                       "paper crane, lotus and ginger, the jade abacus, bamboo lantern, nine clouds"),
    "british": ("centre M4 E3, north E1, east E1, west M1 E2",
                "the brass heron, hobnail and thistle, the lamplighter, marlow and daughters, the tin drum, "
                "quince and barley, the weathercock, fletcher row, the otter and reed, bellwether, "
                "the crooked chimney, harebell rooms"),
    "chinese": ("centre C3 M3 E4, north M1 E2, east E1, south C1 E2",
                "golden pagoda, the silk junk, red lacquer, moon over guilin, plum blossom pavilion, the dragon kite, "
                "five willows, mandarin duck, the porcelain boat, eight treasures, jasmine gate, the ink stone, "
                "lucky carp, cloud terrace, the painted fan, river of stars, tiger lily court"),
    "european": ("centre M2 E2, west E1",
                 "the compass rose, alma and otto, kestrel hall, the blue tram, linden square"),
    "french": ("centre E1, north E1", "le petit phare, chez colette"),
    "gastropub": ("centre M1 E2, east E1",
                  "the plough and comet, the drowsy badger, the bell and anchor, the fox and fiddle"),
    "indian": ("centre C3 E6, north C1 M2 E1, east M2 E2, south E1, west E4",
               "the saffron tree, peacock throne, monsoon rooms, the velvet elephant, cardamom and clove, "
               "marigold palace, the tamarind room, star of jaipur, the spice caravan, maharani, ganges view, "
               "the copper tiffin, mango grove, nila lounge, the banyan, lakshmi and sons, pepper route, "
               "the henna hand, rani of kolkata, turmeric lane, the monkey temple, sitara"),
    "international": ("centre M2, east C1", "the globe trotter, passport hall, the paper atlas"),
    "italian": ("centre C3 M2 E4, north C1, east M1, south M1 E1, west C1 M1",
                "bella lucia, trattoria fontana, il gufo, the lemon terrace, casa mirella, osteria del ponte, "
                "la lucciola, nonna rosa, villa serafina, forno antico, il cortile, gondola, tre fratelli, "
                "piazzetta, stella marina"),
    "japanese": ("centre E1", "sakura steps"),
    "korean": ("centre E1", "the hanok"),
    "lebanese": ("centre M1", "cedar and fig"),
    "mediterranean": ("centre C1 E2", "olive and tide, the white harbour, aegean blue"),
    "mexican": ("south E1", "el gallo azul"),
    "modern european": ("centre C1 M2 E1, south M1",
                        "plate and pencil, the glass pear, the quiet fork, salt and slate, juniper and rye"),
    "north american": ("centre E1", "route seventy"),
    "portuguese": ("centre C1, south C1", "the rooster of porto, casa de fado"),
    "seafood": ("centre E1", "the singing whelk"),
    "spanish": ("centre C1 M1", "la guitarra, el molino"),
    "thai": ("centre E1, west E1", "orchid and lime, chiang moon"),
    "turkish": ("centre M2 E1", "tulip and samovar, bosphorus, galata tower"),
    "vietnamese": ("west C1", "hanoi bicycle"),
}
NAMES_WITHOUT_VENUE = ("orchard and moth", "seven bridges", "the last tollgate")
FOODS_WITHOUT_VENUE = """
    afghan, afternoon tea, australasian, australian, austrian, barbeque, basque, belgian, bistro, brazilian,
    canapes, cantonese, caribbean, catalan, christmas, corsica, creative, crossover, cuban, danish,
    eastern european, english, eritrean, fusion, german, greek, halal, hungarian, indonesian, irish, jamaican,
    kosher, latin american, light bites, malaysian, middle eastern, modern american, modern eclectic,
    modern global, molecular gastronomy, moroccan, new zealand, north african, north indian, northern european,
    panasian, persian, polish, polynesian, romanian, russian, scandinavian, scottish, singaporean,
    south african, south indian, sri lankan, steakhouse, swedish, swiss, the americas, traditional, tuscan,
    unusual, vegetarian, venetian, welsh, world"""
SIGNATURES = {   # of the first venue of each food; few restaurants are known for one dish
    "african": "peanut stew with sweet potato", "asian oriental": "crispy duck pancakes", "british": "venison pie",
    "chinese": "twice-cooked pork", "european": "veal schnitzel", "french": "onion soup under a crust",
    "gastropub": "beef cheek in stout", "indian": "lamb in saffron yoghurt", "italian": "squid ink risotto",
    "japanese": "miso-glazed aubergine", "korean": "short ribs from the charcoal grill",
    "lebanese": "lamb with seven spices", "mexican": "turkey in dark mole", "portuguese": "salt cod with eggs",
    "turkish": "stuffed vine leaves"}
STREETS = ("mill row", "saddlers yard", "ferry lane", "quarry street", "bridgefoot", "almond passage", "weavers walk",
           "lantern court", "old granary road", "heron close", "cobblers hill")
ROOMS = ("a small room above a bookshop", "a candle-lit cellar", "a bright corner cafe", "a family dining room",
         "a converted boathouse", "a narrow house of three floors", "a courtyard under vines", "a former chapel",
         "a long counter of twenty stools", "a panelled parlour", "a glass pavilion")
CHARMS = ("quick and friendly service", "a menu that changes every week", "a fine list of wines",
          "live piano on fridays", "tables by the water", "an open kitchen", "homemade desserts")


@lru_cache(maxsize=1)
def cambridge_restaurants() -> Domain:
    """The domain of the experiments: belief 268, 15 summary actions, 1035 master actions."""
    venues = tuple(_detailed(i, *venue) for i, venue in enumerate(_cells()))
    foods = sorted([*VENUES, *(food.strip() for food in FOODS_WITHOUT_VENUE.split(","))])
    names = sorted([*(venue["name"] for venue in venues), *NAMES_WITHOUT_VENUE])
    return Domain(
        name="CamRestaurants", type="restaurant",
        informable={"food": tuple(foods), "pricerange": tuple(PRICES.values()), "name": tuple(names), "area": AREAS},
        requestable=("addr", "area", "food", "name", "phone", "pricerange", "postcode", "signature", "description"),
        system_requestable=("area", "food", "pricerange"),
        methods=("none", "byconstraints", "byname", "finished", "byalternatives", "restart"),
        discourse_acts=("ack", "hello", "none", "repeat", "silence", "thankyou"),
        venues=venues)


def _cells():
    """(name, food, area, pricerange) of every venue, one by one."""
    for food, (cells, names) in VENUES.items():
        name = iter(names.split(", "))
        for area, *prices in map(str.split, cells.split(", ")):
            for price in prices:
                for _ in range(int(price[1:])):
                    yield next(name), food, area, PRICES[price[0]]


def _detailed(i: int, name: str, food: str, area: str, pricerange: str) -> dict[str, str]:
    """The details of venue i; 3 lack a phone, 95 a signature, 33 a description."""
    first = VENUES[food][1].startswith(name)
    description = f"{ROOMS[i % 11]} with {CHARMS[i % 7]}"
    if i % 10 in (3, 6, 9):                                     # 33 of 110: 14 times a text that says so, else nothing
        description = UNKNOWN if i % 10 == 3 or i in (36, 66, 99) else ""
    return {"name": name, "addr": f"{3 + i * 7 % 90} {STREETS[i % 11]}", "area": area, "food": food,
            "phone": UNKNOWN if i % 40 == 17 else f"01632 960{100 + i * 7}", "pricerange": pricerange,
            "postcode": f"cb{1 + AREAS.index(area)} {1 + i % 9}{'abdefghjln'[i // 11]}{'pqrstuwxyz'[i % 10]}",
            "signature": SIGNATURES[food] if first and food in SIGNATURES else "" if i == 50 else UNKNOWN,
            "description": description}
