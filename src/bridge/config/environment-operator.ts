import { isAbsolute, resolve } from 'node:path';
import { WrongValue, isLoopbackHost, matching } from './environment-values.js';
import { deriveBrandColors, readableColor, type BrandColors } from './brand-colors.js';

/**
 * The operator of the bridge, as shown on its pages. Pages omit absent values. In production the
 * bridge logs a warning at its start when values are missing that users need.
 */
export const operatorVariables = {
  BRIDGE_OPERATOR_NAME: {
    default: undefined,
    parse: (text: string) => matching(text, /^[^\p{Cc}]{1,80}$/u, 'a name of at most 80 characters'),
    doc: 'The name of the operator of the bridge: see [Operator](live-mode.md#operator). The header and the footer of every page show it.',
  },
  BRIDGE_OPERATOR_LOGO: {
    default: undefined,
    parse: parseLogoPath,
    doc: 'The file of a logo, .svg or .png, at most 256 KiB. A square logo looks best, next to the name.',
  },
  BRIDGE_OPERATOR_COLOR: {
    default: undefined,
    parse: parseBrandColor,
    doc: 'The color of links and buttons, such as #0c5460, with a contrast of 4.5:1. The dark theme derives from it.',
  },
  BRIDGE_OPERATOR_PRIVACY_URL: {
    default: undefined,
    parse: parseLinkUrl,
    doc: 'The URL of the privacy policy. Every page links to it.',
  },
  BRIDGE_OPERATOR_TERMS_URL: {
    default: undefined,
    parse: parseLinkUrl,
    doc: 'The URL of the terms of use. Every page links to it.',
  },
  BRIDGE_OPERATOR_HELP_URL: {
    default: undefined,
    parse: parseLinkUrl,
    doc: 'The URL of a help page. Every page links to it.',
  },
  BRIDGE_OPERATOR_PHONE: {
    default: undefined,
    parse: parsePhone,
    doc: 'The phone number that users call for help, as it is shown.',
  },
  BRIDGE_OPERATOR_EMAIL: {
    default: undefined,
    parse: (text: string) => matching(text, /^[^\s@]{1,64}@[^\s@]+\.[^\s@.]{2,}$/, 'an e-mail address'),
    doc: 'The e-mail address that users write to for help.',
  },
} as const;

function parseLogoPath(text: string): string {
  const path = isAbsolute(text) ? text : resolve(text);
  return matching(path, /\.(svg|png)$/i, 'the path of an .svg or .png file');
}

/**
 * Text has this color on every page, so a color with too little contrast is rejected, and the error
 * names the nearest one.
 */
function parseBrandColor(text: string): BrandColors {
  const color = matching(text.toLowerCase(), /^#[0-9a-f]{6}$/, 'a color such as #0c5460');
  const colors = deriveBrandColors(color);
  if (colors !== undefined) return colors;
  throw new WrongValue(`a color with a contrast of 4.5:1 on light pages; the nearest one is ${readableColor(color)}`);
}

/**
 * Pages with SSN fields link to these URLs: only https, or http on a loopback host for development.
 */
function parseLinkUrl(text: string): string {
  const expected = 'an https address without user and password; http is for loopback hosts only';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '') throw new WrongValue(expected);
  return url.href;
}

function parsePhone(text: string): string {
  const expected = 'a phone number of 7 to 15 digits, such as 512-555-0100 or +1 512 555 0100';
  const digits = text.replace(/\D/g, '').length;
  if (digits < 7 || digits > 15) throw new WrongValue(expected);
  return matching(text, /^\+?[\d\s().-]+$/, expected);
}
