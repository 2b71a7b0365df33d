import { actionTexts } from '../pages/action/texts.js';
import { backgroundTexts } from '../pages/background/texts.js';
import { codeTexts } from '../pages/code/texts.js';
import { disclosuresTexts } from '../pages/disclosures/texts.js';
import { documentsTexts } from '../pages/documents/texts.js';
import { identityTexts } from '../pages/identity/texts.js';
import { paymentTexts } from '../pages/payments/texts.js';
import { plainTexts } from '../pages/plain/texts.js';
import { profileTexts } from '../pages/profile/texts.js';
import { receiptTexts } from '../pages/receipt/texts.js';
import { reviewTexts } from '../pages/review/texts.js';
import { startTexts } from '../pages/start/texts.js';
import { statesTexts } from '../pages/states/texts.js';

/** The texts of every page, in English. */
const layout = {
  application: 'License application',
  skip: 'Skip to the main content',
  back: 'Back',
  continue: 'Continue',
  leave: 'Save and leave',
  leaveHint: 'You can return and continue here until your link expires.',
  leavingTitle: 'Leave without saving this page?',
  leavingText: 'What you entered on this page is not saved yet. Earlier pages are.',
  leavingStay: 'Stay on this page',
  leavingGo: 'Leave without saving',
  change: 'Change',
  optional: 'optional',
  yes: 'Yes',
  no: 'No',
  progress: 'Your progress',
  stepOf: (index: number, count: number) => `Step ${index} of ${count}`,
  pageOf: (index: number, count: number) => `Part ${index} of ${count}`,
  minutesLeft: (minutes: number) => (minutes === 1 ? 'About a minute left' : `About ${minutes} minutes left`),
  errorTitle: 'Error',
  errorSummary: 'There is a problem',
  errorPrefix: 'Error:',
  whyAndWho: 'Why we ask, and who sees it',
  whyWeAsk: 'Why we ask',
  whoSees: 'Who sees it',
  testModeTitle: 'Test mode',
  testMode: 'Nothing is sent to a real department and no money moves.',
  secureOn: (host: string) => `You are on ${host}.`,
  runBy: (host: string, operator: string) => `You are on ${host}, which ${operator} runs.`,
  linkEnds: 'Your link ends',
  privacyPolicy: 'Privacy policy',
  terms: 'Terms of use',
  helpPage: 'Help',
  phone: 'Phone',
  email: 'E-mail',
  newWindow: '(opens in a new window)',
  dates: { month: 'Month', day: 'Day', year: 'Year', choose: 'Choose' },
  overview: {
    title: 'Your application',
    license: 'License',
    states: 'States',
    statesCount: (count: number) => `${count} states and territories`,
    fees: 'Fees',
    steps: 'Steps',
    done: 'done',
    help: 'Need help?',
  },
  onBehalf: (agency: string) =>
    `You came from ${agency}. It sees how far you are and what each state decides. It also has your link, which opens the pages with your details. It never sees your SSN or your answers.`,
  otherLanguage: 'Español',
  working: 'Working…',
  offline: "You're offline. Nothing on this page is lost. Continue when you're back online.",
  unreachable: "We can't reach the server. Nothing on this page is lost. Try again in a moment.",
  expiresSoon: 'Your link expires soon. Save this page: saved pages are kept, and a new link continues from there.',
  expired:
    'Your link has expired. Saved pages are kept: go back to the site that you came from and continue with a new link.',
};

/** The errors and how to correct them, in English. They never repeat the input. */
const errors = {
  ssnChoice: 'Choose whether to use the SSN that you gave us before',
  ssn: 'Enter your SSN: 9 digits, with or without dashes',
  ssnInvalid: 'This SSN is not valid. Check it and enter it again',
  ssnOfTestMode: 'This is a test. Enter a number that is never issued, such as 900-11-0001, and never a real SSN',
  ssnLastFour: 'Enter the last four digits of the SSN that you gave us: 4 digits',
  ssnLastFourWrong: 'These are not the last four digits of that SSN. Check them, or enter your SSN instead',
  ssnReuseEnded: 'The last four digits were wrong five times. Enter your whole SSN',
  ssnProofEnded: 'The digits or the codes were wrong five times. Enter your whole SSN',
  ssnNoCode: 'No more codes can be sent today. Enter your whole SSN instead',
  answer: 'Choose yes or no',
  missing: {
    text: 'Fill this in',
    choice: 'Choose one from the list',
    date: 'Fill in every part of the date',
    answer: 'Choose yes or no',
  },
  answerAgain: 'Answer again, and if the answer is yes give all details',
  followUp: {
    missing: 'fill this in',
    date: 'enter a day that exists as month, day and year, like March 27, 2019',
    month: 'enter a month and a year, like March 2019',
    past: 'enter a day in the past',
    future: 'enter a day in the future',
    money: 'enter an amount in dollars, like 1,250 or 1250.50',
    number: (min: number, max: number) => `enter a whole number from ${min} to ${max}`,
    tooLong: (max: number) => `use at most ${max} characters`,
    state: 'choose a state from the list',
    place: 'enter the name of a place',
    choice: 'choose one from the list',
  },
  reuse: 'Choose whether to use your earlier answers',
  acknowledge: 'Tick this statement',
  acknowledgeShared: 'Tick the box to say that you have understood the statements for every state',
  nameOnCard: 'Enter the name on the card',
  cardNumber: 'Enter the card number: 15 or 16 digits, as on the front of the card',
  cardExpiry: 'Enter the month and year that the card expires, like 04\u00a0/\u00a029',
  cardExpired: 'This card has expired. Use another one',
  securityCode: 'Enter the security code: 3 or 4 digits',
  cardDeclined: 'Your card was declined and nothing was charged. Check the details or use another card',
  nameOnAccount: 'Enter the name on the bank account',
  routingNumber: 'Enter the routing number of your bank: 9 digits, as on your checks',
  accountNumber: 'Enter the account number: 4 to 17 digits',
  accountNumberAgain: 'Enter the same account number in both fields',
  accountDeclined: 'Your bank declined the payment and nothing was charged. Check the account or pay by card',
  authenticationFailed: 'Your bank did not confirm the payment, and nothing was charged. Try again or use another card',
  paymentCanceled: 'You left the payment page before you paid. Nothing was charged',
  paymentFields: 'Enter your card in the fields of the payment processor',
  answersWrong: 'These are not the last four digits of your SSN. Check them and try again',
  answersEnded: 'The last four digits were wrong five times. Your answers are not shown today; you can still sign',
  testCardsOnly: 'This is test mode: only the documented test cards and bank accounts work. Nothing was charged',
  changedReview:
    'This application has changed since you opened this page. Nothing was signed. Check it again, then sign',
  changedPayment:
    'This application has changed since you opened this page. Nothing was charged. Check the fees, then pay',
  changedAction:
    'This page has changed since you opened it. Nothing was sent. Check the request and the documents, then send',
  attest: 'Tick every statement to sign',
  signedName: (name: string) => `Type your full name as it is on this application: ${name}`,
  actionAnswer: 'Write your answer to the department',
  actionConfirm: 'Confirm that your answer is true and complete',
};

/** The application in English. */
export const en = {
  layout,
  errors,
  start: startTexts.en,
  states: statesTexts.en,
  profile: profileTexts.en,
  identity: identityTexts.en,
  code: codeTexts.en,
  background: backgroundTexts.en,
  disclosures: disclosuresTexts.en,
  documents: documentsTexts.en,
  payment: paymentTexts.en,
  review: reviewTexts.en,
  receipt: receiptTexts.en,
  action: actionTexts.en,
  ...plainTexts.en,
};

/** All texts of the application in one language. The compiler reports missing translations. */
export type Texts = typeof en;
