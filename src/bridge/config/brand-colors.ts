/**
 * The operator's colors on the pages, derived from one color. Each meets the contrast of WCAG 2
 * (1.4.3) on every surface.
 */
export interface BrandColors {
  light: ThemeColors;
  dark: ThemeColors;
}

/** The operator's colors in a theme, as `#rrggbb`. */
export interface ThemeColors {
  /** Links, buttons and selected items. */
  accent: string;
  /** The accent on hover. */
  accentStrong: string;
  /** Text on the accent. */
  onAccent: string;
  /** The background of an accented box. */
  tint: string;
}

/** The surfaces below accented text. The same values as in `colors.css`; a test compares them. */
export const surfaces = {
  light: { paper: '#f4f3ef', sheet: '#ffffff' },
  dark: { paper: '#14191c', sheet: '#1c2327' },
} as const;

const white = '#ffffff';
const black = '#000000';
/** Text on a bright accent in the dark theme. */
const nearBlack = '#0b1418';

/** The minimum contrast of text. */
const textContrast = 4.5;
/** Slightly above the minimum, because thin bright text looks thinner on dark surfaces. */
const darkTextContrast = 6;
const step = 0.02;

/**
 * Derives the colors of both themes. Returns `undefined` when the color has too little contrast on
 * light pages; {@link readableColor} proposes another one, but the operator must choose it.
 */
export function deriveBrandColors(color: string): BrandColors | undefined {
  const tint = mix(color, white, 0.9);
  if (!isReadable(color, [surfaces.light.paper, surfaces.light.sheet, tint], textContrast)) return undefined;
  const darkTint = mix(surfaces.dark.sheet, color, 0.22);
  const darkSurfaces = [surfaces.dark.paper, surfaces.dark.sheet, darkTint];
  const bright = approach(color, white, (candidate) => isReadable(candidate, darkSurfaces, darkTextContrast));
  return {
    light: { accent: color, accentStrong: mix(color, black, 0.3), onAccent: white, tint },
    dark: { accent: bright, accentStrong: mix(bright, white, 0.4), onAccent: nearBlack, tint: darkTint },
  };
}

/** The nearest darker color that {@link deriveBrandColors} accepts. */
export function readableColor(color: string): string {
  return approach(color, black, (candidate) => deriveBrandColors(candidate) !== undefined);
}

/** The contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

function isReadable(color: string, on: readonly string[], least: number): boolean {
  return on.every((surface) => contrast(color, surface) >= least);
}

function approach(color: string, goal: string, isFine: (candidate: string) => boolean): string {
  for (let share = 0; share < 1; share += step) {
    const candidate = mix(color, goal, share);
    if (isFine(candidate)) return candidate;
  }
  return goal;
}

/** `share` of the second color in the first, from 0 to 1. */
function mix(color: string, other: string, share: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(color).map((channel, index) => channel + ((others[index] ?? 0) - channel) * share);
  return `#${mixed.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
