import { z } from 'zod';
import type {
  AssignedProducer,
  Territory,
  TerritoryAssignment,
  TerritoryAssignRequest,
  TerritoryLicense,
  TerritoryList,
  TerritoryLoa,
  TerritoryState,
  TerritoryUnassignment,
} from '../../../contract/index.js';
import { plainText } from '../../domain/values/values.js';
import type { EntriesOf } from './operation-entry.js';
import { npn, page, queryParameters, timestamp } from './values.js';
import { characters } from '../../domain/limits/limits.js';

const territoryAssignRequest = z
  .strictObject({ territoryId: plainText(characters.id.max) })
  .meta({ id: 'TerritoryAssignRequest' }) satisfies z.ZodType<TerritoryAssignRequest>;

const territoryLoa = z
  .object({ code: z.string(), name: z.string(), residencyType: z.enum(['resident', 'non-resident']) })
  .meta({ id: 'TerritoryLoa' }) satisfies z.ZodType<TerritoryLoa>;

const territoryLicense = z
  .object({ licenseClass: z.string(), licenseClassCode: z.string(), loas: z.array(territoryLoa) })
  .meta({ id: 'TerritoryLicense' }) satisfies z.ZodType<TerritoryLicense>;

const territoryState = z
  .object({ stateCode: z.string(), licenses: z.array(territoryLicense) })
  .meta({ id: 'TerritoryState' }) satisfies z.ZodType<TerritoryState>;

const assignedProducer = z
  .object({ firstName: z.string(), lastName: z.string(), npn })
  .meta({ id: 'AssignedProducer' }) satisfies z.ZodType<AssignedProducer>;

const territory = z
  .object({
    id: z.string(),
    name: z.string(),
    states: z.array(territoryState),
    assignedProducers: z.array(assignedProducer),
  })
  .meta({ id: 'Territory' }) satisfies z.ZodType<Territory>;

const territoryAssignment = z
  .object({
    message: z.string(),
    data: z.object({ assignedAt: timestamp, npn, territoryId: z.string(), territoryName: z.string() }),
  })
  .meta({ id: 'TerritoryAssignment' }) satisfies z.ZodType<TerritoryAssignment>;

const territoryUnassignment = z
  .object({ message: z.string(), data: z.object({ npn, territoryId: z.string(), unassignedAt: timestamp }) })
  .meta({ id: 'TerritoryUnassignment' }) satisfies z.ZodType<TerritoryUnassignment>;

const territoryList = z
  .object({
    message: z.string(),
    data: z.object({ ...page, pageSize: z.int().min(1).max(100), territories: z.array(territory) }),
  })
  .meta({ id: 'TerritoryList' }) satisfies z.ZodType<TerritoryList>;

const exampleNpn = '9000000001';

/** Operations 14 to 16. */
export const territoryEntries = {
  assignTerritory: {
    tag: 'Territories',
    description:
      'Adds to the territories that the producer already has. Assigning the same one again changes nothing. A territory or ' +
      'an onboarded producer that the agency does not have is 400. Assignments belong to the mode of the token, the ' +
      'territories themselves show in both.',
    body: territoryAssignRequest,
    bodies: { 'The south': { territoryId: 'ter_south' } },
    response: territoryAssignment,
    answer: 'The assignment.',
    answers: {
      assigned: {
        message: 'Territory assigned.',
        data: {
          assignedAt: '2026-03-02T10:00:00.000Z',
          npn: exampleNpn,
          territoryId: 'ter_south',
          territoryName: 'South',
        },
      },
    },
  },

  unassignTerritory: {
    tag: 'Territories',
    description:
      'Removes this one assignment and leaves the others. A territory that is not assigned to the producer is 400.',
    response: territoryUnassignment,
    answer: 'The assignment is gone.',
    answers: {
      unassigned: {
        message: 'Territory unassigned.',
        data: { npn: exampleNpn, territoryId: 'ter_south', unassignedAt: '2026-03-03T10:00:00.000Z' },
      },
    },
  },

  listTerritories: {
    tag: 'Territories',
    description:
      'Each with its states, licenses and lines of authority, and with the producers assigned to it. A page past the last ' +
      'one is empty and not a failure.',
    query: z.object({ page: queryParameters.page, pageSize: queryParameters.pageSize }),
    response: territoryList,
    answer: 'One page of territories.',
    answers: {
      'One territory': {
        message: 'Territories found.',
        data: {
          currentPage: 1,
          pageSize: 20,
          totalCount: 1,
          hasNextPage: false,
          hasPreviousPage: false,
          territories: [
            {
              id: 'ter_south',
              name: 'South',
              states: [
                {
                  stateCode: 'TX',
                  licenses: [
                    {
                      licenseClass: 'General Lines Agent',
                      licenseClassCode: '12',
                      loas: [{ code: '16', name: 'Life', residencyType: 'resident' }],
                    },
                  ],
                },
              ],
              assignedProducers: [{ firstName: 'Avery', lastName: 'Sample', npn: exampleNpn }],
            },
          ],
        },
      },
    },
  },
} satisfies EntriesOf<'assignTerritory' | 'unassignTerritory' | 'listTerritories'>;
