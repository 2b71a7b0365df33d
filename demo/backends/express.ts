import express from 'express';
import { toNodeListener } from 'licensing-apply/server/node';
import { licensing } from './licensing.ts';

const app = express();
app.use('/licensing', toNodeListener(licensing));
app.use(express.json());
app.listen(process.env.PORT ?? 3000);
