import type { LicenseTexts } from '../texts.js';

const npn = 'Enter the NPN as 1 to 10 digits, or leave it empty';
const notYet = 'Not yet';

/** The texts about work, lines of authority and education, in English. */
export const license: LicenseTexts = {
  employment: {
    title: 'Your last five years',
    lead: 'List what you did in each month: jobs, full or part time, own business, military service, study, and periods without work.',
    fields: {
      kind: {
        label: 'What did you do?',
        missing: 'Choose what you did',
        choices: {
          employed: 'Worked for an employer',
          selfEmployed: 'Worked for myself',
          military: 'Served in the military',
          study: 'Studied',
          unemployed: 'Was unemployed',
        },
      },
      employer: { label: 'Employer, business, service or school', missing: 'Enter the name of the employer or school' },
      city: { label: 'City', missing: 'Enter the city' },
      place: { label: 'State or country', missing: 'Enter the state or country' },
      position: { label: 'Position', missing: 'Enter your position' },
      from: {
        label: 'From',
        missing: 'Enter the month and year in which it began',
        problems: { future: 'The beginning cannot be in the future' },
      },
      until: {
        label: 'Until',
        missing: 'Choose whether it has ended',
        choices: { now: 'Now', ended: 'It has ended' },
      },
      to: {
        label: 'Ended',
        missing: 'Enter the month and year in which it ended',
        problems: { future: 'The end cannot be in the future', order: 'The end cannot be before the beginning' },
      },
    },
  },
  residency: {
    title: 'Your home state',
    fields: {
      homeState: {
        label: 'Which state is your home state?',
        hint: 'Where you live, or where your main place of business is. You are a resident there, and a non-resident elsewhere.',
        missing: 'Choose your home state',
      },
      homeLicense: {
        label: 'Do you have a license of your home state?',
        missing: 'Choose whether you have a license of your home state',
        choices: {
          active: 'Yes, an active one',
          applying: 'Not yet: I am applying for it now',
          none: 'No',
        },
      },
      licenseNumber: { label: 'License number', missing: '' },
    },
  },
  authority: {
    title: 'Lines of authority',
    lead: 'What you want to sell.',
    fields: {
      spread: {
        label: 'Do you apply for the same lines in every state?',
        missing: 'Choose whether the lines are the same in every state',
        choices: { same: 'The same in every state', each: 'I choose for each state' },
      },
      lines: {
        label: 'Lines',
        hint: 'A state that does not have a line leaves it out.',
        missing: 'Choose at least one line',
      },
    },
  },
  lines: {
    title: 'Lines of authority',
    lead: 'What you want to sell there.',
    fields: { lines: { label: 'Lines', missing: 'Choose at least one line' } },
  },
  securities: {
    title: 'Registration with FINRA',
    lead: 'For the variable line, states ask for your registration to sell securities.',
    fields: {
      crd: {
        label: 'FINRA number (CRD)',
        hint: 'It is on your record at FINRA BrokerCheck. Without one, take the variable line out.',
        missing: 'Enter your CRD number, or go back and take the variable line out',
        problems: { wrong: 'Enter your CRD number as 1 to 10 digits' },
      },
    },
  },
  affiliation: {
    title: 'Agency',
    fields: {
      agency: {
        label: 'Will you work for an agency that has a license?',
        hint: 'Some states tie your license to it.',
        missing: 'Choose whether you will work for an agency',
        choices: { agency: 'For one agency or several', none: 'On my own' },
      },
    },
  },
  agencies: {
    title: 'Your agencies',
    lead: 'One entry for each agency.',
    fields: {
      name: { label: 'Name of the agency', missing: 'Enter the name of the agency' },
      fein: {
        label: 'FEIN',
        hint: 'The agency’s employer identification number: 9 digits.',
        missing: 'Enter the FEIN of the agency: 9 digits, like 12-3456789',
      },
      npn: { label: 'NPN of the agency', missing: '', problems: { wrong: npn } },
      states: { label: 'In which of these states?', missing: 'Choose at least one state' },
    },
  },
  education: {
    title: 'Pre-licensing course',
    fields: {
      course: {
        label: 'Have you completed the pre-licensing course?',
        missing: 'Choose the status of the course',
        choices: { done: 'Yes', exempt: 'I am exempt', pending: notYet },
      },
      provider: { label: 'Course provider', missing: 'Enter the course provider' },
      certificate: { label: 'Number of the certificate', missing: '' },
      completed: {
        label: 'Completed on',
        missing: 'Enter the date as month, day and year',
        problems: { future: 'The day cannot be in the future' },
      },
    },
  },
  exam: {
    title: 'Exam',
    fields: {
      exam: {
        label: 'Have you taken the exam?',
        missing: 'Choose the status of the exam',
        choices: { passed: 'Yes, passed', booked: 'It is booked', exempt: 'I am exempt', pending: notYet },
      },
      examDate: {
        label: 'Exam date',
        missing: 'Enter the date as month, day and year',
        problems: { future: 'An exam that you have passed cannot be in the future' },
      },
      examNumber: { label: 'Number of the exam or booking', missing: '' },
    },
  },
  continuing: {
    title: 'Continuing education',
    fields: {
      credits: {
        label: 'Have you completed the hours for this renewal?',
        missing: 'Choose the status of the hours',
        choices: { done: 'Yes', exempt: 'I am exempt', pending: notYet },
      },
      hours: { label: 'Hours', missing: 'Enter the number of hours' },
      provider: { label: 'Course provider', missing: 'Enter the course provider' },
      completed: {
        label: 'Completed on',
        missing: 'Enter the date as month, day and year',
        problems: { future: 'The day cannot be in the future' },
      },
    },
  },
  fingerprints: {
    title: 'Fingerprints',
    lead: 'This state requires fingerprints, which a vendor takes.',
    fields: {
      taken: {
        label: 'Were your fingerprints taken?',
        missing: 'Choose the status of the fingerprints',
        choices: { done: 'Yes', booked: 'I have an appointment', pending: notYet },
      },
      vendor: { label: 'Vendor', missing: 'Enter the name of the vendor' },
      appointment: {
        label: 'Appointment date',
        missing: 'Enter the date as month, day and year',
        problems: { future: 'Fingerprints that were taken cannot be in the future' },
      },
      code: { label: 'Confirmation code', missing: '' },
    },
  },
};
