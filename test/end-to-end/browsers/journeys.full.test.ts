import { describeJourneys } from './journeys.js';

describeJourneys('chromium');
