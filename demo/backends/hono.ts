import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { licensing } from './licensing.ts';

const app = new Hono();
app.all('/licensing/*', ({ req }) => licensing(req.raw));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
