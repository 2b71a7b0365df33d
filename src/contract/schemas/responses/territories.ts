import { z } from 'zod';
import { npn, page, timestamp } from '../values.js';

const territoryLoa = z
  .object({
    code: z.string().describe('The number of the line, as a string.'),
    name: z.string().describe('The name of the line.'),
    residencyType: z.enum(['resident', 'non-resident']).describe('The producers of the territory.'),
  })
  .meta({
    id: 'TerritoryLoa',
    description: 'A line of authority in a territory.',
  });

const territoryLicense = z
  .object({
    licenseClass: z.string().describe('The name of the class.'),
    licenseClassCode: z.string().describe('The number of the class, as a string.'),
    loas: z.array(territoryLoa).describe('Its lines of authority.'),
  })
  .meta({
    id: 'TerritoryLicense',
    description: 'A class of license in a territory.',
  });

const territoryState = z
  .object({
    stateCode: z.string().meta({ received: 'required', description: 'State code in upper case.' }),
    licenses: z.array(territoryLicense).describe('The licenses in the state.'),
  })
  .meta({ id: 'TerritoryState', description: 'A state of a territory.' });

const assignedProducer = z
  .object({
    firstName: z.string().describe('Given name.'),
    lastName: z.string().describe('Family name.'),
    npn: npn.describe('National producer number without leading zeros.'),
  })
  .meta({ id: 'AssignedProducer', description: 'A producer of a territory.' });

const territory = z
  .object({
    id: z.string().meta({ received: 'required', description: '`ter_…`' }),
    name: z.string().describe('Its name in the agency.'),
    states: z.array(territoryState).describe('Its states.'),
    assignedProducers: z.array(assignedProducer).describe("Its producers, in the token's mode."),
  })
  .meta({
    id: 'Territory',
    description: 'A territory of an agency, created by the operator.',
  });

const territoryAssignment = z
  .object({
    message: z.string().describe('A sentence for people.'),
    data: z
      .object({
        assignedAt: timestamp.describe('The time of the first assignment, ISO 8601 in UTC.'),
        npn: npn.describe('The NPN of the producer.'),
        territoryId: z.string().describe('The id of the territory.'),
        territoryName: z.string().describe('Its name.'),
      })
      .describe('The assignment.'),
  })
  .meta({
    id: 'TerritoryAssignment',
    description: 'Response of assignTerritory (operation 14).',
  });

const territoryUnassignment = z
  .object({
    message: z.string().describe('A sentence for people.'),
    data: z
      .object({
        npn: npn.describe('The NPN of the producer.'),
        territoryId: z.string().describe('The id of the territory.'),
        unassignedAt: timestamp.describe('The time of the removal, ISO 8601 in UTC.'),
      })
      .describe('The removed assignment.'),
  })
  .meta({
    id: 'TerritoryUnassignment',
    description: 'Response of unassignTerritory (operation 15).',
  });

const territoryList = z
  .object({
    message: z.string().describe('A sentence for people.'),
    data: z
      .object({
        ...page,
        totalCount: page.totalCount.describe('The number of territories of the agency.'),
        pageSize: z.int().min(1).max(100).describe('The number of territories on a full page.'),
        territories: z.array(territory).meta({ received: 'required', description: 'The territories of this page.' }),
      })
      .describe('One page.'),
  })
  .meta({
    id: 'TerritoryList',
    description: 'Response of listTerritories (operation 16).',
  });

/** The responses of operations 14 to 16. */
export const territoryResponses = {
  assignTerritory: territoryAssignment,
  unassignTerritory: territoryUnassignment,
  listTerritories: territoryList,
};
