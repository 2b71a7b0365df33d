import { z } from 'zod';
import { deriveBrandColors, readableColor } from './brand-colors.js';
import { isEncrypted, path } from './environment-values.js';

/**
 * Text has this color on every page, so a color with too little contrast is rejected, and the error
 * names the nearest one.
 */
const brandColor = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'a color such as #0c5460')
  .transform((color, context) => {
    const colors = deriveBrandColors(color);
    if (colors !== undefined) return colors;
    context.addIssue(`a color with a contrast of 4.5:1 on light pages; the nearest one is ${readableColor(color)}`);
    return z.NEVER;
  });

/**
 * Pages with SSN fields link to these URLs: only https, or http on a loopback host for development.
 */
const linkUrl = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && isEncrypted(url.href) && url.username === '' && url.password === '';
  }, 'an https address without user and password; http is for loopback hosts only')
  .transform((text) => new URL(text).href);

/**
 * The operator of the bridge, as shown on its pages. Pages omit absent values. In production the
 * bridge logs a warning at its start when values are missing that users need.
 */
export const operatorVariables = {
  BRIDGE_OPERATOR_NAME: {
    default: undefined,
    schema: z.string().regex(/^[^\p{Cc}]{1,80}$/u, 'a name of at most 80 characters'),
    doc: 'The name of the operator of the bridge: see [Operator](live-mode.md#operator). The header and the footer of every page show it.',
  },
  BRIDGE_OPERATOR_LOGO: {
    default: undefined,
    schema: path.pipe(z.string().regex(/\.(svg|png)$/i, 'the path of an .svg or .png file')),
    doc: 'The file of a logo, .svg or .png, at most 256 KiB. A square logo looks best, next to the name.',
  },
  BRIDGE_OPERATOR_COLOR: {
    default: undefined,
    schema: brandColor,
    doc: 'The color of links and buttons, such as #0c5460, with a contrast of 4.5:1. The dark theme derives from it.',
  },
  BRIDGE_OPERATOR_PRIVACY_URL: {
    default: undefined,
    schema: linkUrl,
    doc: 'The URL of the privacy policy. Every page links to it.',
  },
  BRIDGE_OPERATOR_TERMS_URL: {
    default: undefined,
    schema: linkUrl,
    doc: 'The URL of the terms of use. Every page links to it.',
  },
  BRIDGE_OPERATOR_HELP_URL: {
    default: undefined,
    schema: linkUrl,
    doc: 'The URL of a help page. Every page links to it.',
  },
  BRIDGE_OPERATOR_PHONE: {
    default: undefined,
    schema: z
      .string()
      .regex(
        /^\+?[\s().-]*(\d[\s().-]*){7,15}$/,
        'a phone number of 7 to 15 digits, such as 512-555-0100 or +1 512 555 0100',
      ),
    doc: 'The phone number that users call for help, as it is shown.',
  },
  BRIDGE_OPERATOR_EMAIL: {
    default: undefined,
    schema: z.string().regex(/^[^\s@]{1,64}@[^\s@]+\.[^\s@.]{2,}$/, 'an e-mail address'),
    doc: 'The e-mail address that users write to for help.',
  },
} as const;
