import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EnvironmentError, type Environment } from '../config/environment.js';
import type { BrandColors, ThemeColors } from '../config/brand-colors.js';

/**
 * The operator of the bridge, for the header and the footer of every page. Parts that are
 * `undefined` are not shown.
 */
export interface Operator {
  name: string | undefined;
  privacyUrl: string | undefined;
  termsUrl: string | undefined;
  helpUrl: string | undefined;
  /** As shown to users. */
  phone: string | undefined;
  email: string | undefined;
  /** The path of the logo on the pages' own origin. */
  logoHref: string | undefined;
  /** The path of the style sheet with the operator's colors, which follows that of the pages. */
  styleHref: string | undefined;
  /** The logo or the style sheet at a path. */
  fileAt(path: string): OperatorFile | undefined;
}

/** A served file with a URL that changes with its content. */
export interface OperatorFile {
  body: string | Buffer<ArrayBuffer>;
  contentType: string;
}

/** The maximum size of a logo of 40 pixels. */
const largestLogoBytes = 256 * 1_024;

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Reads the operator's settings and the file of the logo.
 *
 * @throws EnvironmentError with the problem of the logo.
 */
export function readOperator(environment: Environment): Operator {
  const files = new Map<string, OperatorFile>();
  const serve = (extension: string, file: OperatorFile) => {
    const hash = createHash('sha256').update(file.body).digest('hex').slice(0, 16);
    const href = `/assets/${hash}.operator.${extension}`;
    files.set(href, file);
    return href;
  };
  const { BRIDGE_OPERATOR_LOGO: logoPath, BRIDGE_OPERATOR_COLOR: colors } = environment;
  return {
    name: environment.BRIDGE_OPERATOR_NAME,
    privacyUrl: environment.BRIDGE_OPERATOR_PRIVACY_URL,
    termsUrl: environment.BRIDGE_OPERATOR_TERMS_URL,
    helpUrl: environment.BRIDGE_OPERATOR_HELP_URL,
    phone: environment.BRIDGE_OPERATOR_PHONE,
    email: environment.BRIDGE_OPERATOR_EMAIL,
    logoHref: logoPath === undefined ? undefined : serve(extensionOf(logoPath), readLogo(logoPath)),
    styleHref: colors && serve('css', { body: styleOf(colors), contentType: 'text/css; charset=utf-8' }),
    fileAt: (path) => files.get(path),
  };
}

/**
 * A warning about missing settings of the operator that users need before they enter an SSN;
 * `undefined` when none is missing.
 */
export function describeMissingOperator({
  name,
  privacyUrl,
  termsUrl,
  helpUrl,
  phone,
  email,
}: Operator): string | undefined {
  const missing = [
    ...(name === undefined ? ['BRIDGE_OPERATOR_NAME'] : []),
    ...(privacyUrl === undefined ? ['BRIDGE_OPERATOR_PRIVACY_URL'] : []),
    ...(termsUrl === undefined ? ['BRIDGE_OPERATOR_TERMS_URL'] : []),
    ...((helpUrl ?? phone ?? email) ? [] : ['one of BRIDGE_OPERATOR_HELP_URL, _PHONE and _EMAIL']),
  ];
  if (missing.length === 0) return undefined;
  return `The pages ask for SSNs without naming their operator. Set ${missing.join(', ')}.`;
}

/** The number behind a `tel:` link. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

function readLogo(path: string): OperatorFile {
  let body: Buffer<ArrayBuffer>;
  try {
    body = readFileSync(path);
  } catch (cause) {
    // Without the path, because the value may be a secret in the wrong variable.
    throw wrongLogo('a file that this account can read', cause);
  }
  if (body.length > largestLogoBytes) throw wrongLogo('a file of at most 256 KiB');
  if (extensionOf(path) === 'png') {
    if (!body.subarray(0, pngSignature.length).equals(pngSignature)) throw wrongLogo('a PNG image');
    return { body, contentType: 'image/png' };
  }
  // Browsers show nothing of an SVG in another encoding.
  if (!isUtf8(body)) throw wrongLogo('an SVG image in UTF-8');
  // Browsers run no scripts in images. This checks the visible size: a drawing without a size is
  // not visible.
  const root = /<svg\b[^>]*>/.exec(body.toString())?.[0] ?? '';
  if (!root.includes('http://www.w3.org/2000/svg')) throw wrongLogo('an SVG image with its xmlns');
  if (!/\sviewBox=/.test(root)) throw wrongLogo('an SVG image with a viewBox');
  return { body, contentType: 'image/svg+xml' };
}

function wrongLogo(expected: string, cause?: unknown): EnvironmentError {
  return new EnvironmentError([`BRIDGE_OPERATOR_LOGO: expected ${expected}`], {
    cause,
  });
}

function styleOf({ light, dark }: BrandColors): string {
  const pair = (name: keyof ThemeColors) => `light-dark(${light[name]}, ${dark[name]})`;
  return `:root {
  --accent: ${pair('accent')};
  --accent-strong: ${pair('accentStrong')};
  --on-accent: ${pair('onAccent')};
  --tint: ${pair('tint')};
}
`;
}
