import { describeJourneys } from './journeys.js';

describeJourneys('firefox');
