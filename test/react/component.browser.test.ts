import { describeComponent } from './component-suite.js';

describeComponent('React 19');
