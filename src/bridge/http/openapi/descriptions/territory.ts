// Made from the comments of contract/territory.ts: change them there.

/** What the interfaces of contract/territory.ts and their fields mean; `''` is the interface itself. */
export const territoryDescriptions = {
  Territory: {
    '': "An area of an agency's, made by the operator.",
    id: '`ter_…`',
    name: 'What the agency calls it.',
    states: 'What it is made of.',
    assignedProducers: "Who works in it, in the token's mode.",
  },
  TerritoryState: {
    '': 'A state of a territory.',
    stateCode: 'State code in upper case.',
    licenses: 'The licenses that count there.',
  },
  TerritoryLicense: {
    '': 'A class of license that counts in a territory.',
    licenseClass: 'Name of the class.',
    licenseClassCode: 'Number of the class, as a text.',
    loas: 'Its lines of authority.',
  },
  TerritoryLoa: {
    '': 'A line of authority that counts in a territory.',
    code: 'Number of the line, as a text.',
    name: 'Name of the line.',
    residencyType: 'Which producers it counts for.',
  },
  AssignedProducer: {
    '': 'A producer who works in a territory.',
    firstName: 'Given name.',
    lastName: 'Family name.',
    npn: 'National producer number without leading zeros.',
  },
  TerritoryAssignRequest: { '': 'Body of operation 14.', territoryId: 'A territory of the agency.' },
  TerritoryAssignment: {
    '': 'Answer of operation 14.',
    message: 'One sentence for people.',
    data: 'The assignment.',
    'data.assignedAt': 'When it was first assigned, ISO 8601 in UTC.',
    'data.npn': 'To whom.',
    'data.territoryId': 'Which territory.',
    'data.territoryName': 'What it is called.',
  },
  TerritoryUnassignment: {
    '': 'Answer of operation 15.',
    message: 'One sentence for people.',
    data: 'What was taken away.',
    'data.npn': 'From whom.',
    'data.territoryId': 'Which territory.',
    'data.unassignedAt': 'When, ISO 8601 in UTC.',
  },
  TerritoriesQuery: { '': 'Query of operation 16.', page: 'From 1. Default: 1.', pageSize: '1–100. Default: 20.' },
  TerritoryList: {
    '': 'Answer of operation 16.',
    message: 'One sentence for people.',
    data: 'One page.',
    'data.currentPage': 'The page asked for.',
    'data.pageSize': 'Territories on a full page.',
    'data.totalCount': 'Territories of the agency.',
    'data.hasNextPage': 'Whether there is a page after this one.',
    'data.hasPreviousPage': 'Whether there is a page before this one.',
    'data.territories': 'The territories of this page.',
  },
} as const;
