import type { Biographic, StateAlias, StateCode } from '../../../contract/index.js';
import type { Dice } from './dice.js';
import { someName } from './places.js';
import { firmKinds, givenNames } from './words.js';

/** Who a producer is: a person, or a firm. */
export function someBiographic(dice: Dice, npn: string, home: StateCode, isFirm: boolean): Biographic {
  return isFirm ? someFirm(dice, npn, home) : somePerson(dice, npn, home);
}

function somePerson(dice: Dice, npn: string, home: StateCode): Biographic {
  const firstName = dice.pick(givenNames);
  const middleName = dice.happens(60) ? dice.pick(givenNames) : '';
  const lastName = dice.happens(4) ? `${someName(dice)}-${someName(dice)}` : someName(dice);
  return {
    companyName: '',
    dateOfBirth: dice.day(1955, 2001),
    fein: '',
    firstName,
    lastName,
    middleName,
    npn,
    otherNames: dice.happens(10) ? [someAlias(dice, home, { firstName, middleName })] : [],
    stateCoID: '',
    stateDomicile: home,
    suffix: dice.happens(4) ? dice.pick(['Jr', 'Sr', 'II', 'III'] as const) : '',
  };
}

function someAlias(
  dice: Dice,
  state: StateCode,
  { firstName, middleName }: Pick<StateAlias, 'firstName' | 'middleName'>,
): StateAlias {
  const nameType = dice.pick(['Maiden name', 'Former name', 'Alias'] as const);
  return { state, firstName, lastName: someName(dice), middleName, nameType };
}

function someFirm(dice: Dice, npn: string, home: StateCode): Biographic {
  return {
    companyName: `${someName(dice)} ${dice.pick(firmKinds)}`,
    dateOfBirth: '',
    // No employer number begins with 00.
    fein: `00-${dice.digits(7)}`,
    firstName: '',
    lastName: '',
    middleName: '',
    npn,
    otherNames: [],
    stateCoID: dice.digits(6),
    stateDomicile: home,
    suffix: '',
  };
}
