import type { Address, AddressStateGroup, Contact, ContactStateGroup, StateCode } from '../../../contract/index.js';
import type { Dice } from './dice.js';
import { someName, somePhone, someStreet, someZip } from './places.js';

const addressTypes = { Business: 1, Mailing: 2, Residence: 3 } as const;

/** The addresses of a producer: those at home, and the business one where another state has it on file too. */
export function someAddresses(dice: Dice, home: StateCode, others: readonly StateCode[]): AddressStateGroup[] {
  const business = someAddress(dice, home, 'Business');
  const second = someAddress(dice, home, dice.happens(50) ? 'Mailing' : 'Residence');
  return [
    { state: home, addresses: dice.happens(70) ? [business, second] : [business] },
    ...others.filter(() => dice.happens(15)).map((state) => ({ state, addresses: [business] })),
  ];
}

function someAddress(dice: Dice, state: StateCode, addressType: keyof typeof addressTypes): Address {
  return {
    addressLine1: someStreet(dice),
    addressLine2: dice.happens(25) ? `Suite ${String(dice.between(100, 999))}` : '',
    addressLine3: '',
    addressType,
    addressTypeCode: addressTypes[addressType],
    city: someName(dice),
    country: 'USA',
    lastUpdatedDate: dice.day(2018, 2025),
    state,
    zip: someZip(dice, state),
  };
}

/** How to reach a producer at work, at an address and a number that reach nobody. */
export function someContacts(dice: Dice, home: StateCode, npn: string): ContactStateGroup[] {
  const date = dice.day(2018, 2025);
  const contact: Contact = {
    businessEmail: `producer.${npn}@example.com`,
    businessEmailLastUpdatedDate: date,
    businessPhone: somePhone(dice, home),
    businessPhoneLastUpdatedDate: date,
  };
  return [{ state: home, contactInfo: [contact] }];
}
