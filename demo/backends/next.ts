// app/licensing/[...path]/route.ts
import { licensing } from './licensing.ts';

export const GET = licensing;
export const POST = licensing;
