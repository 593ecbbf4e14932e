// npm start: prepares what is missing, then runs the server until it is told to stop.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { node, prepare } from './prepare.mjs'
import { endWith, root } from './run.mjs'

try {
  await prepare('pt', 'running')
} catch (error) {
  endWith(error)
}

const server = spawn(node, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
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
// Ctrl+C reaches the server by itself; it must finish what it accepted before this process ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
