import { describeEarlyConnection } from './early-connection.js';
import { describeJourneys } from './journeys.js';

describeJourneys('webkit');
describeEarlyConnection('webkit');
