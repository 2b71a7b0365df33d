import { text } from './values.js';

/** How the element shows the page. */
export const appearance = {
  mode: { enum: ['modal', 'inline', 'popup', 'redirect'] },
  locale: text(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/u),
  theme: { enum: ['auto', 'light', 'dark'] },
} as const;
