import type { EntriesOf } from './operation-entry.js';

const exampleNpn = '9000000001';

/** Operations 14 to 16. */
export const territoryEntries = {
  assignTerritory: {
    tag: 'Territories',
    description:
      'Adds a territory to those of the producer. A repeated assignment changes nothing. A territory or an ' +
      'onboarded producer that the agency does not have is 400. Assignments belong to the mode of the token; ' +
      'territories are the same in both modes.',
    bodies: { 'The south': { territoryId: 'ter_south' } },
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
      'Removes this assignment and keeps the others. A territory that is not assigned to the producer is 400.',
    answer: 'The removed assignment.',
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
      'Each territory has its states, licenses, lines of authority and assigned producers. A page after the last ' +
      'one is empty, not an error.',
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
