import { digitsOf, groupDigits } from './group-digits.js';

/** What a card number begins with, and how its digits are grouped on the card. */
interface CardBrand {
  name: string;
  pattern: RegExp;
  groups: readonly number[];
}

const fours = [4, 4, 4, 4, 3] as const;

const brands: readonly CardBrand[] = [
  { name: 'Visa', pattern: /^4/, groups: fours },
  { name: 'Mastercard', pattern: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, groups: fours },
  { name: 'American Express', pattern: /^3[47]/, groups: [4, 6, 5] },
  { name: 'Discover', pattern: /^6(011|5|4[4-9])/, groups: fours },
];

/** Groups the digits of card numbers as on the card, and names the brand once its first digits are there. */
export function groupCardNumbers(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-card-number]')) {
    const name = document.querySelector(`#${CSS.escape(input.id)}-brand`);
    groupDigits(input, ' ', (digits) => brandOf(digits)?.groups ?? fours);
    input.addEventListener('input', () => {
      if (name) name.textContent = brandOf(digitsOf(input.value))?.name ?? '';
    });
  }
}

function brandOf(digits: string): CardBrand | undefined {
  return brands.find(({ pattern }) => pattern.test(digits));
}
