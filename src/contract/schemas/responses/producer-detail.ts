import { z } from 'zod';
import { appointmentStatuses, loaStatuses, residencyStatuses } from '../../index.js';
import { producerShape } from './producer-shape.js';
import { npn, producerDate, timestamp } from '../values.js';

const shape = producerShape({ text: z.string(), code: z.string(), day: producerDate, whole: z.int() });

const stateAlias = z.object({ state: z.string().describe('State code.'), ...shape.alias }).meta({
  id: 'StateAlias',
  description: 'Another name of a producer and the state that has it on file.',
});

const biographic = z
  .object({
    ...shape.biographic,
    npn: npn.describe('National producer number without leading zeros.'),
    otherNames: z.array(stateAlias).describe('Other names that states have on file.'),
  })
  .meta({ id: 'Biographic', description: 'The identity of a producer.' });

const address = z.object(shape.address).meta({ id: 'Address', description: 'An address of a producer.' });

const addressStateGroup = z
  .object({ state: z.string().describe('State code.'), addresses: z.array(address).describe('The addresses.') })
  .meta({
    id: 'AddressStateGroup',
    description: 'The addresses that one state has on file.',
  });

const contact = z.object(shape.contact).meta({ id: 'Contact', description: "A producer's contact data at work." });

const contactStateGroup = z
  .object({ state: z.string().describe('State code.'), contactInfo: z.array(contact).describe('The contact data.') })
  .meta({
    id: 'ContactStateGroup',
    description: 'The contact data that one state has on file.',
  });

const regulatoryAction = z.object(shape.regulatoryAction).meta({
  id: 'RegulatoryAction',
  description: 'An action of a regulator against a producer.',
});

const stateRegulatoryAction = z
  .object({ state: z.string().describe('State code.'), regulatoryAction: regulatoryAction.describe('The action.') })
  .meta({
    id: 'StateRegulatoryAction',
    description: 'A regulatory action and the state that took it.',
  });

/** Whether a state is the home state. */
export const residencyStatus = z
  .enum(residencyStatuses)
  .meta({ id: 'ResidencyStatus', description: '`R` is resident, `NR` is non-resident.' });

const licenseDetail = z
  .object({ ...shape.licenseDetail, status: z.enum(loaStatuses).describe('Whether it is in force.') })
  .meta({ id: 'LicenseDetail', description: 'One line of authority of a license.' });

const license = z
  .object({
    ...shape.license,
    residencyStatus: residencyStatus.describe("Whether the state is the producer's home state."),
    active: z.boolean().describe('Whether the license is in force.'),
    details: z.array(licenseDetail).describe('Its lines of authority.'),
  })
  .meta({ id: 'License', description: 'A license in one state.' });

const appointment = z
  .object({ ...shape.appointment, status: z.enum(appointmentStatuses).describe('Whether it is in force.') })
  .meta({ id: 'Appointment', description: "A carrier's appointment of a producer." });

const licenseInfo = z
  .object({
    state: z.string().describe('State code.'),
    licenses: z.array(license).describe('The licenses.'),
    appointments: z.array(appointment).describe('The appointments by carriers.'),
  })
  .meta({
    id: 'LicenseInfo',
    description: 'Licenses and appointments of a producer in one state.',
  });

/** The response of onboardProducer (operation 5), and the producers of operations 6 and 11. */
export const producerDetail = z
  .object({
    id: z.string().describe("The registry's own id of the record."),
    createdAt: timestamp.describe('The time of the first entry in the registry, ISO 8601 in UTC.'),
    updatedAt: timestamp.describe('The time of the last change of the record, ISO 8601 in UTC.'),
    isBetaResponse: z.boolean().describe('Whether the record comes from an experimental source.'),
    transactionType: z.string().describe('The type of the record, such as `Individual` or `Entity`.'),
    biographic: biographic.describe('The person or firm.'),
    clearanceCertificationInfo: z.string().describe('Clearance certification, as the national database words it.'),
    nasdExamDetails: z.string().describe('Securities examinations, as the national database words them.'),
    addresses: z.array(addressStateGroup).describe('Addresses, by the state that has them on file.'),
    contactInfos: z.array(contactStateGroup).describe('Contact data, by the state that has them on file.'),
    regulatoryActions: z.array(stateRegulatoryAction).describe('Regulatory actions, each with the state that took it.'),
    licenseInformation: z.array(licenseInfo).describe('Licenses and appointments, by state.'),
  })
  .meta({
    id: 'ProducerDetail',
    description:
      'The registry\'s record of a producer, in onboardProducer (operation 5), getBulkDetails (operation 6) and getSubscriptionUpdate (operation 11). Dates are `MM/DD/YYYY`. An empty string is "", an empty number 0; nothing is null or absent.',
  });
