import { describeJourneys } from './journeys.js';

describeJourneys('webkit');
