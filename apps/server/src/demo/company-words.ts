/** The words that made-up companies are put together from: countries with their cities and legal forms, names, trades. */

export interface Country {
  code: string;
  dial: string;
  legal: readonly string[];
  cities: readonly (readonly [city: string, postal: string])[];
  streets: readonly string[];
  weight: number;
}

const COUNTRIES: readonly Country[] = [
  {
    code: "DE",
    dial: "+49",
    legal: ["GmbH", "AG", "GmbH & Co. KG", "SE"],
    cities: [
      ["Berlin", "10"],
      ["Hamburg", "20"],
      ["Munich", "80"],
      ["Cologne", "50"],
      ["Leipzig", "04"],
      ["Bremen", "28"],
      ["Stuttgart", "70"],
    ],
    streets: ["Hafenstrasse", "Lindenallee", "Bahnhofstrasse", "Am Markt", "Goethestrasse", "Industrieweg"],
    weight: 5,
  },
  {
    code: "US",
    dial: "+1",
    legal: ["Inc.", "LLC", "Corp.", "Co."],
    cities: [
      ["Portland", "97"],
      ["Austin", "78"],
      ["Denver", "80"],
      ["Chicago", "60"],
      ["Boston", "02"],
      ["Seattle", "98"],
      ["Atlanta", "30"],
    ],
    streets: ["Main Street", "Oak Avenue", "Lake Drive", "Mill Road", "Commerce Way", "Harbor Boulevard"],
    weight: 6,
  },
  {
    code: "GB",
    dial: "+44",
    legal: ["Ltd", "PLC", "LLP"],
    cities: [
      ["London", "EC"],
      ["Manchester", "M"],
      ["Bristol", "BS"],
      ["Leeds", "LS"],
      ["Glasgow", "G"],
    ],
    streets: ["High Street", "Station Road", "Church Lane", "Victoria Road", "Mill Lane"],
    weight: 4,
  },
  {
    code: "FR",
    dial: "+33",
    legal: ["SAS", "SARL", "SA"],
    cities: [
      ["Paris", "75"],
      ["Lyon", "69"],
      ["Nantes", "44"],
      ["Lille", "59"],
      ["Bordeaux", "33"],
    ],
    streets: ["Rue de la Gare", "Avenue Victor Hugo", "Rue du Port", "Boulevard Voltaire"],
    weight: 3,
  },
  {
    code: "NL",
    dial: "+31",
    legal: ["B.V.", "N.V."],
    cities: [
      ["Amsterdam", "10"],
      ["Rotterdam", "30"],
      ["Utrecht", "35"],
      ["Eindhoven", "56"],
    ],
    streets: ["Havenweg", "Stationsplein", "Keizersgracht", "Molenstraat"],
    weight: 2,
  },
  {
    code: "SE",
    dial: "+46",
    legal: ["AB"],
    cities: [
      ["Stockholm", "11"],
      ["Gothenburg", "41"],
      ["Malmö", "21"],
    ],
    streets: ["Storgatan", "Hamngatan", "Kungsgatan"],
    weight: 1,
  },
];
/** Larger markets more often. */
export const WEIGHTED: readonly Country[] = COUNTRIES.flatMap((country) =>
  Array.from({ length: country.weight }, () => country),
);

export const FIRST =
  "Alder Amber Apex Arbor Aspen Atlas Aurora Banner Beacon Birch Blue Bridge Bright Brook Canyon Cardinal Cedar Cinder Clear Cobalt Compass Copper Coral Crest Crown Delta Drift Eagle East Echo Elm Ember Evergreen Falcon Fern First Flint Forge Frost Garnet Glacier Golden Granite Green Grove Harbor Hawk Hazel Heron Highland Horizon Indigo Iron Ivory Jade Juniper Keystone Lagoon Lark Laurel Ledger Lighthouse Linden Lotus Lunar Maple Marble Meadow Meridian Mill Mint Mistral Moss Nimbus Noble North Nova Oak Obsidian Ocean Olive Onyx Opal Orchard Orion Osprey Otter Pacific Pearl Pebble Pine Pioneer Polar Prairie Prime Quarry Quartz Raven Red Reed Ridge River Robin Rowan Ruby Saffron Sage Salt Sapphire Sierra Silver Slate Solar Sparrow Spring Spruce Stellar Sterling Stone Summit Swift Sycamore Teal Thistle Thorn Tidal Timber Topaz Trail Tundra Union Upland Vale Vector Velvet Verdant Vertex Violet Vista Walnut West White Willow Winter Wren Zenith Zephyr".split(
    " ",
  );
export const SECOND =
  "bay bridge brook castle cliff cross dale field fold ford gate glen ground haven hill house lake land line mark mere mont moor point port range reach rock shore side stead stone stream town tree vale view ville ward water way well wick wind wood works worth yard".split(
    " ",
  );
export const SURNAMES =
  "Abbott Adler Albrecht Andersson Bakker Bauer Becker Bennett Bergström Bernard Blake Brandt Carter Chen Clarke Cooper Dahl Dubois Dupont Ellis Engel Fischer Fontaine Foster Garcia Gibson Graham Haas Hansen Hayes Hoffmann Holm Hughes Ivanov Jansen Jensen Keller Kim Klein Koch Lambert Larsen Laurent Lewis Lindqvist Lopez Marchand Martin Mayer Meyer Moreau Morgan Murphy Nakamura Nguyen Nilsson Novak Olsen Parker Patel Petit Porter Quinn Reed Richter Rossi Roux Russell Sanders Schmidt Schneider Shaw Silva Simon Singh Sokolov Stein Sullivan Tanaka Taylor Turner Vermeer Vogel Wagner Walsh Weber Winter Wolf Wright Young Ziegler".split(
    " ",
  );
export const TRADES: readonly (readonly [trade: string, industry: string])[] = [
  ["Logistics", "Transport"],
  ["Freight", "Transport"],
  ["Shipping", "Transport"],
  ["Foods", "Food"],
  ["Bakery", "Food"],
  ["Coffee", "Food"],
  ["Brewing", "Food"],
  ["Software", "Technology"],
  ["Systems", "Technology"],
  ["Analytics", "Technology"],
  ["Robotics", "Technology"],
  ["Networks", "Technology"],
  ["Energy", "Energy"],
  ["Solar", "Energy"],
  ["Power", "Energy"],
  ["Health", "Health"],
  ["Medical", "Health"],
  ["Pharma", "Health"],
  ["Dental", "Health"],
  ["Construction", "Construction"],
  ["Timber", "Construction"],
  ["Roofing", "Construction"],
  ["Interiors", "Construction"],
  ["Tools", "Manufacturing"],
  ["Precision", "Manufacturing"],
  ["Plastics", "Manufacturing"],
  ["Textiles", "Manufacturing"],
  ["Instruments", "Manufacturing"],
  ["Capital", "Finance"],
  ["Insurance", "Finance"],
  ["Partners", "Professional services"],
  ["Consulting", "Professional services"],
  ["Legal", "Professional services"],
  ["Media", "Media"],
  ["Studios", "Media"],
  ["Print", "Media"],
  ["Books", "Retail"],
  ["Outfitters", "Retail"],
  ["Home", "Retail"],
  ["Gardens", "Retail"],
  ["Hotels", "Hospitality"],
  ["Travel", "Hospitality"],
];
