import { html } from 'hono/html';

export { html };

/** A piece of a page. Everything interpolated into it was escaped; there is no way around that in this room. */
export type Html = ReturnType<typeof html>;
