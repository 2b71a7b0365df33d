import { html } from 'hono/html';

export { html };

/** A fragment of HTML. All interpolated values are escaped; there is no way to bypass that. */
export type Html = ReturnType<typeof html>;
