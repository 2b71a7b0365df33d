import { html } from 'hono/html';

export { html };

/** A piece of the page. Everything interpolated into it was escaped. */
export type Html = ReturnType<typeof html>;
