import { loadLanguage } from '../language/languages.ts';
import { resume } from './session.ts';

// The service says who this is while the browser still reads how to show it: a slow line and a slow machine take their time at once.
void resume();
// Screens have tables of texts, which are read once.
await loadLanguage();
const { start } = await import('./start.tsx');
start();
