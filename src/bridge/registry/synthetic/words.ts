// Names of stones, plants and colors before names of places that are on no map: plausible to read, and nobody's.

/** Given names. */
// prettier-ignore
export const givenNames = [
  'Agate', 'Amber', 'Aspen', 'Basil', 'Beryl', 'Bramble', 'Calla', 'Cedar', 'Clover', 'Cobalt', 'Coral', 'Cosmos', 'Dahlia',
  'Ember', 'Fennel', 'Fern', 'Flint', 'Garnet', 'Ginger', 'Hazel', 'Heather', 'Indigo', 'Iris', 'Ivory', 'Jade', 'Jasper',
  'Juniper', 'Larch', 'Laurel', 'Lilac', 'Linden', 'Maple', 'Marble', 'Marigold', 'Mint', 'Myrtle', 'Olive', 'Onyx', 'Opal',
  'Pearl', 'Poppy', 'Quartz', 'River', 'Rowan', 'Ruby', 'Sable', 'Saffron', 'Sage', 'Sienna', 'Slate', 'Sorrel', 'Sterling',
  'Tansy', 'Teal', 'Thistle', 'Topaz', 'Umber', 'Vesper', 'Violet', 'Willow', 'Wren', 'Yarrow', 'Zephyr', 'Zinnia',
] as const;

/** First halves of family names and of names of towns and firms. */
// prettier-ignore
export const nameBeginnings = [
  'Alder', 'Amber', 'Ash', 'Barley', 'Birch', 'Bright', 'Bronze', 'Candle', 'Cedar', 'Clay', 'Clear', 'Copper', 'Cotton',
  'Dapple', 'Elder', 'Fallow', 'Feather', 'Fern', 'Flax', 'Frost', 'Gold', 'Granite', 'Harbor', 'Hazel', 'Heron', 'Honey',
  'Iron', 'Juniper', 'Kestrel', 'Lantern', 'Larch', 'Linden', 'Maple', 'Meadow', 'Mill', 'Mossy', 'Nettle', 'North', 'Oat',
  'Orchard', 'Pebble', 'Pepper', 'Pine', 'Quill', 'Raven', 'Rose', 'Rush', 'Saddle', 'Salt', 'Silver', 'Slate', 'Sparrow',
  'Summer', 'Thistle', 'Thorn', 'Timber', 'Velvet', 'Walnut', 'Wheat', 'Willow', 'Winter', 'Wren', 'Yarrow',
] as const;

/** Second halves of the same. */
// prettier-ignore
export const nameEndings = [
  'acre', 'bank', 'bourne', 'bridge', 'brook', 'combe', 'croft', 'dale', 'fell', 'field', 'ford', 'gate', 'glen', 'grove',
  'hollow', 'hurst', 'lake', 'ley', 'mere', 'mont', 'moor', 'ridge', 'shore', 'stead', 'stone', 'vale', 'wick', 'wood',
] as const;

/** Streets. */
export const streetKinds = ['Street', 'Avenue', 'Road', 'Lane', 'Drive', 'Court', 'Way', 'Place'] as const;

/** What agencies call themselves. */
export const firmKinds = [
  'Insurance Agency LLC',
  'Insurance Services Inc',
  'Coverage Partners LLC',
  'Benefits Group Inc',
] as const;
