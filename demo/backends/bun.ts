import { licensing } from './licensing.ts';

export default {
  port: process.env.PORT ?? 3000,
  // Seconds: more than the 15 between two signs of life of an event stream.
  idleTimeout: 60,
  fetch: licensing,
};
