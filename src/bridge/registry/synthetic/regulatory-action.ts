import type { StateCode, StateRegulatoryAction } from '../../../contract/index.js';
import type { Dice } from './dice.js';

const causes = [
  { originOfAction: 'Market conduct examination', reasonForAction: 'Failure to keep records' },
  { originOfAction: 'Consumer complaint', reasonForAction: 'Late remittance of premium' },
  { originOfAction: 'Renewal application', reasonForAction: 'Failure to report an address' },
  { originOfAction: 'Action of another state', reasonForAction: 'Failure to report the action' },
] as const;

const outcomes = [
  { disposition: 'Fined', lengthOfOrder: '' },
  { disposition: 'Probation', lengthOfOrder: '12 months' },
  { disposition: 'Consent order', lengthOfOrder: '' },
  { disposition: 'Reprimand', lengthOfOrder: '' },
] as const;

/** Something that a state once held against a producer. */
export function someRegulatoryAction(dice: Dice, state: StateCode): StateRegulatoryAction {
  const { originOfAction, reasonForAction } = dice.pick(causes);
  const { disposition, lengthOfOrder } = dice.pick(outcomes);
  const date = dice.day(2012, 2024);
  const fine = disposition === 'Fined' ? `$${String(dice.between(1, 20) * 250)}.00` : '';
  return {
    state,
    regulatoryAction: {
      actionId: dice.digits(6),
      dateOfAction: date,
      disposition,
      effectiveDate: date,
      enterDate: date,
      fileRef: `${state}-${date.slice(-4)}-${dice.digits(4)}`,
      lengthOfOrder,
      originOfAction,
      penaltyFineForfeiture: fine,
      reasonForAction,
    },
  };
}
