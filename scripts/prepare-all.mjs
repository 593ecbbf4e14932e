// npm run build: installs packages, builds the pages and the database template, where they are not up to date.
import { prepare } from './prepare.mjs'
import { endWith } from './run.mjs'

await prepare('en', 'everything').catch(endWith)
