import { isAsked } from './check.js';
import type { addressStates } from './fields.js';
import type { ProfilePage, ProfileRecord } from './pages.js';
import { topicOf, type Values } from './topics.js';

/*
 * The first three digits of a ZIP code name an area of the post office. Areas follow the borders of
 * states with a few exceptions, so a ZIP code of another state is a doubt and not an error: the user
 * may keep it.
 */

type AddressState = (typeof addressStates)[number];

/** By state or area of the armed forces: first three digits, and ranges of them. */
const areas: Readonly<Record<AddressState, string>> = {
  AA: '340',
  AE: '090-098',
  AK: '995-999',
  AL: '350-369',
  AP: '962-966',
  AR: '716-729 755',
  AS: '967',
  AZ: '850-865',
  CA: '900-961',
  CO: '800-816',
  CT: '060-069',
  DC: '200 202-205 569',
  DE: '197-199',
  FL: '320-339 341-349',
  GA: '300-319 398-399',
  GU: '969',
  HI: '967-968',
  IA: '500-528',
  ID: '832-838',
  IL: '600-629',
  IN: '460-479',
  KS: '660-679',
  KY: '400-427',
  LA: '700-714',
  MA: '010-027 055',
  MD: '206-219',
  ME: '039-049',
  MI: '480-499',
  MN: '550-567',
  MO: '630-658',
  MP: '969',
  MS: '386-397',
  MT: '590-599',
  NC: '270-289',
  ND: '580-588',
  NE: '680-693',
  NH: '030-038',
  NJ: '070-089',
  NM: '870-884',
  NV: '889-898',
  NY: '005 063 100-149',
  OH: '430-459',
  OK: '730-732 734-749',
  OR: '970-979',
  PA: '150-196',
  PR: '006-007 009',
  RI: '028-029',
  SC: '290-299',
  SD: '570-577',
  TN: '370-385',
  TX: '733 750-799 885',
  UT: '840-847',
  VA: '201 220-246',
  VI: '008',
  VT: '050-054 056-059',
  WA: '980-994',
  WI: '530-549',
  WV: '247-268',
  WY: '820-831',
};

/**
 * The state to which the ZIP code of a page belongs, when its address names another one. `undefined`
 * when both agree, when the ZIP code is not known, or when the user has confirmed them before.
 */
export function findZipDoubt(
  { confirmed, pages }: Pick<ProfileRecord, 'confirmed' | 'pages'>,
  { key, topic }: Pick<ProfilePage, 'key' | 'topic'>,
  typed: Values,
): AddressState | undefined {
  const field = topicOf(topic).fields['zip'];
  if (field === undefined || !isAsked(topic, field, typed)) return undefined;
  const { state, area } = placeOf(typed);
  const kept = placeOf(pages[key] ?? {});
  if (confirmed.includes(key) && kept.state === state && kept.area === area) return undefined;
  const found = statesOf(area);
  return state === '' || found.includes(state as AddressState) ? undefined : found[0];
}

function placeOf({ state = '', zip = '' }: Values): { state: string; area: string } {
  return { state: String(state), area: String(zip).trim().slice(0, 3) };
}

function statesOf(area: string): AddressState[] {
  const isIn = (range: string) => {
    const [first = '', last = first] = range.split('-');
    return area.length === 3 && area >= first && area <= last;
  };
  return (Object.entries(areas) as [AddressState, string][]).flatMap(([code, list]) =>
    list.split(' ').some(isIn) ? [code] : [],
  );
}
