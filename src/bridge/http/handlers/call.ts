import type { z } from 'zod';
import type { operations, OperationId, OperationTypes } from '../../../contract/index.js';
import type { Caller } from '../../domain/account/caller.js';
import type { BridgeContext } from '../../domain/context.js';
import type { BodyOf } from '../schemas/index.js';
import type { pathSchemas, querySchemas } from '../schemas/parameters.js';

/** A request of one operation: authenticated, all its parts validated. */
export interface Call<Id extends OperationId> {
  params: ParamsOf<OperationTypes[Id]['params']>;
  query: Id extends keyof typeof querySchemas ? z.output<(typeof querySchemas)[Id]> : undefined;
  body: BodyOf<Id>;
  caller: CallerOf<(typeof operations)[Id]['auth']>;
  header(name: string): string | undefined;
  /** Where the request came from. */
  address: string;
}

type ParamsOf<Params> = {
  [Name in keyof Params]: Name extends keyof typeof pathSchemas ? z.output<(typeof pathSchemas)[Name]> : never;
};

type CallerOf<Auth> = Auth extends 'none' ? undefined : Auth extends 'optional' ? Caller | undefined : Caller;

/** One handler an operation: parse what the schema cannot, call the domain, answer. */
export type Handlers = {
  [Id in OperationId]: (context: BridgeContext, call: Call<Id>) => Promise<OperationTypes[Id]['response']>;
};
