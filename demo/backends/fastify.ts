import { fastify } from 'fastify';
import { toNodeListener } from 'licensing-apply/server/node';
import { licensing } from './licensing.ts';

const app = fastify();
app.all('/licensing/*', toNodeListener(licensing));
await app.listen({ port: Number(process.env.PORT ?? 3000) });
