import type { QuestionTexts } from '../bank-texts.js';

/** The question bank in English. */
export const questions: QuestionTexts = {
  misdemeanor: {
    ask: 'Have you ever been convicted of a misdemeanor?',
    help: 'Leave out traffic tickets, and anything a juvenile court decided. Include convictions that you think are too old to matter.',
  },
  felony: {
    ask: 'Have you ever been convicted of a felony?',
    help: 'Include guilty pleas and pleas of no contest, in any state, territory or federal court.',
  },
  military_offense: {
    ask: 'Has a military court ever convicted you of an offense?',
    help: 'This means a court-martial. Leave out reprimands and other measures short of a conviction.',
  },
  pending_charge: {
    ask: 'Are criminal charges pending against you now?',
    help: 'Answer yes if you have been charged and the case has not ended, even if you expect it to be dropped.',
  },
  judgment_withheld: {
    ask: 'Has a court ever withheld or deferred a judgment against you?',
    help: 'For example deferred adjudication, probation before judgment or a diversion program for a misdemeanor or felony.',
  },
  dishonesty_consent: {
    ask: 'Have you been convicted of a felony of dishonesty or breach of trust?',
    help: 'Federal law bars such persons from insurance business without written consent. If you have that consent, say who gave it and when.',
  },
  license_denied: {
    ask: 'Has any regulator ever refused you an insurance license?',
    help: 'Include applications that you withdrew because you were told they would be refused.',
  },
  license_suspended: {
    ask: 'Has an insurance license of yours ever been suspended, revoked or restricted?',
    help: 'In any state or country. Include probation and licenses with conditions. Leave out lapses for late renewal alone.',
  },
  license_surrendered: {
    ask: 'Have you ever given up a license to settle or avoid a proceeding?',
    help: 'Answer no if you gave up a license only because you moved or stopped working.',
  },
  fine_or_consent_order: {
    ask: 'Has a regulator ever fined you or made a consent order with you?',
    help: 'Include cease-and-desist orders and settlements without an admission. Leave out fees for late paperwork below $250.',
  },
  open_investigation: {
    ask: 'Is a regulator investigating you now?',
    help: 'Answer yes if you have received a notice, a subpoena or a request to explain yourself.',
  },
  other_profession_discipline: {
    ask: 'Have you been disciplined in another licensed profession?',
    help: 'For example real estate, mortgage lending, law, health care or accounting.',
  },
  securities_discipline: {
    ask: 'Has FINRA, the SEC or a state securities regulator ever taken action against you?',
    help: 'Include bars, suspensions, fines and reportable customer settlements.',
  },
  terminated_for_cause: {
    ask: 'Has an insurer or agency ever ended your contract or job for misconduct?',
    help: 'Misconduct that was alleged counts too, whether or not you agree with it.',
  },
  insurance_civil_action: {
    ask: 'Have you been a party to a lawsuit about fraud or misuse of insurance money?',
    help: 'Include suits, arbitrations and settlements about fraud, misrepresentation, conversion or breach of a duty you owed to a client.',
  },
  errors_omissions_claim: {
    ask: 'Has anyone ever been paid for a mistake you made as a producer?',
    help: 'This means a claim paid under professional liability (errors and omissions) cover, or paid by you.',
  },
  premium_debt: {
    ask: 'Does an insurer or agency say that you owe it money?',
    help: 'For example premiums you collected, or commissions that were charged back and are overdue.',
  },
  controlling_interest: {
    ask: 'Has a business you own or run ever lost or been refused a license?',
    help: 'Include every business in which you are an owner of 10 percent or more, a partner, an officer or a director.',
  },
  sanctioned_associate: {
    ask: 'Does anyone who was barred from insurance have a say in your business?',
    help: 'Answer yes if they own, finance, direct or advise it.',
  },
  premium_funds_misused: {
    ask: 'Have you ever used clients’ or insurers’ money for something else?',
    help: 'Include mixing premium funds with your own, even for a short time and even if you paid it back.',
  },
  unlicensed_activity: {
    ask: 'Have you ever sold or negotiated insurance without the license it needed?',
    help: 'Include business done after a license lapsed, or in a state where you had none.',
  },
  exam_misconduct: {
    ask: 'Have you ever been accused of cheating in a license exam or a course?',
    help: 'Include credits for continuing education that were taken back.',
  },
  false_application: {
    ask: 'Have you ever been told that a license application of yours was untrue or incomplete?',
    help: 'Include applications that were corrected later.',
  },
  replacement_complaint: {
    ask: 'Has a regulator upheld a complaint that you replaced a life policy or annuity to a client’s disadvantage?',
    help: 'Include complaints that ended in a refund or a settlement.',
  },
  federal_health_exclusion: {
    ask: 'Are you barred from a federal health program?',
    help: 'For example Medicare, Medicaid or a marketplace agreement that was ended for cause.',
  },
  claims_handling_complaint: {
    ask: 'Has a regulator upheld a complaint about a claim or a certificate that you handled?',
    help: 'For example certificates of insurance that did not match the policy.',
  },
  bankruptcy: {
    ask: 'Have you filed for bankruptcy in the last ten years?',
    help: 'Personal cases, and cases of a business that you controlled. A bankruptcy by itself rarely stops a license.',
  },
  delinquent_taxes: {
    ask: 'Do you owe overdue taxes?',
    help: 'Federal, state or local. Answer no if you have an agreement to pay and have kept to it.',
  },
  unpaid_judgment: {
    ask: 'Is there a court judgment or lien against you that you have not paid?',
    help: 'Leave out your mortgage and car loans that are up to date.',
  },
  student_loan_default: {
    ask: 'Are you in default on a student loan?',
    help: 'Default usually means no payment for 270 days. Some states must check this before they issue a license.',
  },
  child_support_behind: {
    ask: 'Are you behind with child support?',
    help: 'Answer yes if a court or agency ordered you to pay and a payment is overdue. A repayment plan that you keep to helps: mention it.',
  },
  child_support_warrant: {
    ask: 'Is there a subpoena or warrant against you about child support?',
    help: 'Answer yes also if you are contesting it.',
  },
  other_names: {
    ask: 'Have you used another name since you turned 18?',
    help: 'For example a name before marriage or a name changed by a court. Names that only friends use don’t count.',
  },
  court_order_barred: {
    ask: 'Has a court ever ordered you to stay out of insurance, finance or sales?',
    help: 'Include orders that have ended.',
  },
  work_authorization: {
    ask: 'Is your right to work in the United States limited?',
    help: 'Answer no if you are a citizen, a national or a permanent resident. Otherwise say what document you have and until when.',
  },
  ca_set_aside: {
    ask: 'California: has a conviction of yours been set aside, dismissed or expunged?',
    help: 'California asks about these too. They are weighed differently from a conviction that stands.',
  },
  ca_commission_sharing: {
    ask: 'California: have you shared a commission with somebody who had no license?',
    help: 'Include gifts or discounts given for introductions.',
  },
  tx_probation: {
    ask: 'Texas: are you on probation, parole or community supervision now?',
    help: 'Include deferred adjudication that has not ended.',
  },
  fl_lifetime_bar: {
    ask: 'Florida: did you plead guilty or no contest to a financial felony, whatever the court then decided?',
    help: 'Florida counts the plea, even if judgment was withheld.',
  },
  ny_controlled_business: {
    ask: 'New York: will more than a tenth of your business come from your own family or employer?',
    help: 'New York limits such controlled business. Say who it is and roughly how much.',
  },
  nj_pretrial: {
    ask: 'New Jersey and Pennsylvania: have you taken part in a pretrial intervention program?',
    help: 'Also when it ended well and the charge was dismissed.',
  },
};
