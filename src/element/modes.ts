/**
 * The mode of the open application: over the page, in the page, in a popup, or in place of the
 * page.
 */
export type OpenMode = 'modal' | 'inline' | 'popup' | 'redirect';

/** The modes in which this page stays open around or beside the application. */
export type ContainerMode = Exclude<OpenMode, 'redirect'>;

const openModes: readonly string[] = ['modal', 'inline', 'popup', 'redirect'] satisfies OpenMode[];

/** The attributes of the element that choose a mode. */
export interface ModeSource {
  mode: string;
  fallback: string;
}

/**
 * Returns the mode to open in, then the modes to fall back to, in order. An unknown `mode` means
 * `modal`; unknown words in `fallback` are ignored.
 */
export function modesOf({ mode, fallback }: ModeSource, requested = mode): [OpenMode, ...OpenMode[]] {
  const isAuto = requested === 'auto';
  const first = isAuto ? automaticMode() : openModes.includes(requested) ? requested : 'modal';
  // Frameworks may set a list as an array, whose text has commas.
  const others = [fallback || (isAuto ? 'popup redirect' : '')]
    .join()
    .split(/[\s,]+/)
    .filter((word) => openModes.includes(word));
  return [...new Set([first, ...others])] as [OpenMode, ...OpenMode[]];
}

/**
 * Chooses the mode for `auto`. The modal works on wide and narrow screens alike, and a framed page
 * keeps no cookies, so only what makes a mode impossible decides.
 */
function automaticMode(): OpenMode {
  // In-app browsers open no popups, and keyboard and downloads of a modal fail in many of them.
  if (/; wv\)|\((?:iPhone|iPad|iPod)(?!.*Safari)/.test(navigator.userAgent)) return 'redirect';
  // The hosted application allows one site to frame it, so inside another site's frame it is
  // refused.
  return top === self ? 'modal' : 'popup';
}
