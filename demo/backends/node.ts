import { createServer } from 'node:http';
import { toNodeListener } from 'licensing-apply/server/node';
import { licensing } from './licensing.ts';

createServer(toNodeListener(licensing)).listen(process.env.PORT ?? 3000);
