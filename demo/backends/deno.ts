// deno serve --allow-net --allow-env --port 3000 deno.ts
import { licensing } from './licensing.ts';

export default { fetch: licensing };
