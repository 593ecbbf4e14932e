// npm start: prepares what is missing, then runs the server until it is told to stop.
import { join } from 'node:path'
import { loadEnvFile } from './env-file.mjs'
import { checkPort } from './port.mjs'
import { node, prepare } from './prepare.mjs'
import { endWith, root } from './run.mjs'
import { supervise } from './supervise.mjs'

try {
  loadEnvFile()
  await checkPort()
  await prepare('pt', 'running')
} catch (error) {
  endWith(error)
}

supervise(node, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
  cwd: root,
  env: {
    // What Node compiled the last time is not compiled again.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compilado'),
    // What a picture took is given back to the system: left to itself, glibc keeps hundreds of megabytes after the first ones.
    MALLOC_MMAP_THRESHOLD_: '131072',
    ...process.env,
    NODE_ENV: 'production',
  },
  stdio: 'inherit',
})
