import { z } from 'zod';
import type {
  AssignedProducer,
  Territory,
  TerritoryAssignment,
  TerritoryLicense,
  TerritoryList,
  TerritoryLoa,
  TerritoryState,
  TerritoryUnassignment,
} from '../../../../contract/index.js';
import { count, npn, timestamp } from './values.js';

/** A line of authority that counts in a territory. */
export const territoryLoa = z.object({
  code: z.string(),
  name: z.string(),
  residencyType: z.enum(['resident', 'non-resident']),
}) satisfies z.ZodType<TerritoryLoa>;

/** A class of license that counts in a territory. */
export const territoryLicense = z.object({
  licenseClass: z.string(),
  licenseClassCode: z.string(),
  loas: z.array(territoryLoa),
}) satisfies z.ZodType<TerritoryLicense>;

/** A state of a territory. */
export const territoryState = z.object({
  stateCode: z.string(),
  licenses: z.array(territoryLicense),
}) satisfies z.ZodType<TerritoryState>;

/** A producer who works in a territory. */
export const assignedProducer = z.object({
  firstName: z.string(),
  lastName: z.string(),
  npn,
}) satisfies z.ZodType<AssignedProducer>;

/** An area of an agency's. */
export const territory = z.object({
  id: z.string(),
  name: z.string(),
  states: z.array(territoryState),
  assignedProducers: z.array(assignedProducer),
}) satisfies z.ZodType<Territory>;

/** Answer of operation 14. */
export const territoryAssignment = z.object({
  message: z.string(),
  data: z.object({ assignedAt: timestamp, npn, territoryId: z.string(), territoryName: z.string() }),
}) satisfies z.ZodType<TerritoryAssignment>;

/** Answer of operation 15. */
export const territoryUnassignment = z.object({
  message: z.string(),
  data: z.object({ npn, territoryId: z.string(), unassignedAt: timestamp }),
}) satisfies z.ZodType<TerritoryUnassignment>;

/** Answer of operation 16. */
export const territoryList = z.object({
  message: z.string(),
  data: z.object({
    currentPage: z.int().min(1),
    pageSize: z.int().min(1).max(100),
    totalCount: count,
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    territories: z.array(territory),
  }),
}) satisfies z.ZodType<TerritoryList>;
