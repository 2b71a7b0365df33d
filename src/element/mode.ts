/** How the application can open: over the page, in it, in a window of its own, or in the page's place. */
export type OpenMode = 'modal' | 'inline' | 'popup' | 'redirect';

/** The modes in which this page shows the application. */
export type SurfaceMode = Exclude<OpenMode, 'redirect'>;

const openModes: readonly string[] = ['modal', 'inline', 'popup', 'redirect'] satisfies OpenMode[];

/** Whether this page itself holds the application. */
export const isFramed = (mode: OpenMode): boolean => mode === 'modal' || mode === 'inline';

/** What the element says about modes. */
export interface ModeSource {
  mode: string;
  fallback: string;
}

/** The mode to open in, then those to fall back to, in their order. Anything unknown means `modal`, or nothing in the fallback. */
export function modesOf({ mode, fallback }: ModeSource, asked = mode): [OpenMode, ...OpenMode[]] {
  const isAuto = asked === 'auto';
  const first = isAuto ? bestMode() : openModes.includes(asked) ? asked : 'modal';
  // Frameworks set lists as they are.
  const others = [fallback || (isAuto ? 'popup redirect' : '')]
    .join()
    .split(/[\s,]+/)
    .filter((word) => openModes.includes(word));
  return [...new Set([first, ...others])] as [OpenMode, ...OpenMode[]];
}

/**
 * What `auto` means here. The modal serves wide and narrow screens alike, and a framed page keeps no cookies, so neither the
 * width nor the browser's storage rules decide; only what cannot work does.
 */
function bestMode(): OpenMode {
  // Browsers inside of apps open no windows, and a modal's keyboard and downloads fail in many of them.
  if (/; wv\)|\((?:iPhone|iPad|iPod)(?!.*Safari)/.test(navigator.userAgent)) return 'redirect';
  // The hosted application lets one site frame it: inside of another site's frame the browser would refuse it.
  return top === self ? 'modal' : 'popup';
}
