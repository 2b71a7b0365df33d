import { testTool } from '../support/consumer.js';
import { describeComponent } from './component-suite.js';

describeComponent('React 18', { react: testTool('react-18'), 'react-dom': testTool('react-dom-18') });
