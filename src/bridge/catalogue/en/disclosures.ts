import type { AttestationTexts, DisclosureTexts } from '../bank-texts.js';

/** The disclosures in English. */
export const disclosures: DisclosureTexts = {
  background_check: {
    short: (state) => `${state} may check my background.`,
    full: (state) =>
      `The insurance department of ${state} may obtain criminal, regulatory and credit records about me to decide on this application, and may ask others who hold them.`,
  },
  truthful: {
    short: (state) => `What I tell ${state} is true and complete.`,
    full: (state) =>
      `Untrue or missing information can lead ${state} to refuse, suspend or revoke a license, and to penalties. I will report changes to my answers within 30 days.`,
  },
  public_record: {
    short: (state) => `Parts of my application can become public in ${state}.`,
    full: (state) =>
      `The public records law of ${state} lets people ask for license records. My name, business address and license history can be given out; my SSN cannot.`,
  },
  privacy_notice: {
    short: (state) => `I have seen how ${state} handles my data.`,
    full: (state) =>
      `${state} collects this information to decide on the license and to supervise it. It must be given; without it the application cannot be decided. I may ask to see what is held about me.`,
  },
  child_support_review: {
    short: (state) => `${state} will check child support records.`,
    full: (state) =>
      `${state} compares applicants with its child support records, by SSN. Overdue support can delay a license until a plan to pay is agreed.`,
  },
  tax_review: {
    short: (state) => `${state} will check tax records.`,
    full: (state) =>
      `${state} sends names and SSNs of license holders to its tax agency. Overdue taxes can stop a license from being issued or renewed.`,
  },
  fraud_warning: {
    short: (state) => `I know that fraud is a crime in ${state}.`,
    full: (state) =>
      `Whoever knowingly gives false information in an application for insurance or for a license commits a crime in ${state} and can be fined or imprisoned.`,
  },
  fingerprints: {
    short: (state) => `${state} may ask for my fingerprints.`,
    full: (state) =>
      `${state} may require fingerprints to search state and FBI records. If so, the department sends instructions; I can read and correct what is found.`,
  },
  electronic_notices: {
    short: (state) => `${state} may send me notices by e-mail.`,
    full: (state) =>
      `${state} may send notices about this license to the e-mail address in my profile. They count as received when they are sent, so I keep the address current.`,
  },
};

/** What a signature attests, in English. */
export const attestations: AttestationTexts = {
  true: 'Everything in this application is true and complete.',
  authorize: 'The states may check what I have said and share what they find with each other.',
  update: 'I will tell the states within 30 days if an answer changes.',
};
