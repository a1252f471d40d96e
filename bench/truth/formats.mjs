/** Writers of a recorded session in the hosts' own formats, each as its logs really look (2.1 of Claude Code; 0.63 and 0.125 of Codex). */

const time = (i, ms = 0) => new Date(Date.UTC(2026, 4, 4, 9, i, 2, 120 + ms)).toISOString()
const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

export function claudeCode({ session, root, records }) {
  const out = [
    { type: 'last-prompt', lastPrompt: 'go on', sessionId: session },
    { type: 'permission-mode', permissionMode: 'default', sessionId: session },
  ]
  let parent = null
  const line = (i, more, ms = 0) => {
    const uuid = `${session.slice(0, 8)}-${out.length}`
    out.push({ parentUuid: parent, isSidechain: false, userType: 'external', cwd: root, sessionId: session, version: '2.1.178', gitBranch: 'main', entrypoint: 'cli', ...more, uuid, timestamp: time(i, ms) })
    parent = uuid
  }
  const call = (i, id, name, input, cwd) =>
    line(i, { type: 'assistant', ...(cwd && { cwd }), message: { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'tool_use', id, name, input }], stop_reason: null, usage: { input_tokens: 3, output_tokens: 40 } }, requestId: `req_${id}` })
  const result = (i, id, block, toolUseResult, cwd) =>
    line(i, { type: 'user', ...(cwd && { cwd }), message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', ...block }] }, toolUseResult }, 40_000)
  line(0, { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'fix it' }] } })
  for (const [n, record] of records.entries()) {
    const [i, id] = [n + 1, `toolu_${session.slice(0, 8)}${record.id}`]
    if (record.kind === 'say') line(i, { type: 'assistant', message: { id: `msg_${id}`, type: 'message', role: 'assistant', content: [{ type: 'text', text: record.text }] } })
    else if (record.kind === 'read') {
      call(i, id, 'Read', { file_path: record.path })
      result(i, id, { content: record.text }, { type: 'text', file: { filePath: record.path, content: record.text, numLines: 1, startLine: 1, totalLines: 1 } })
    } else if (record.kind === 'edit') {
      const create = record.before === null
      call(i, id, 'Write', { file_path: record.path, content: record.after })
      result(i, id, { content: create ? 'File created successfully' : 'The file has been updated.' }, { type: create ? 'create' : 'update', filePath: record.path, content: record.after, structuredPatch: [], originalFile: record.before })
    } else {
      const output = record.output.trimEnd()
      call(i, id, 'Bash', { command: record.command, description: 'run it', ...(record.behind && { run_in_background: true }) }, record.cwd)
      if (record.came === 'rejected') result(i, id, { is_error: true, content: "The user doesn't want to proceed with this tool use. The tool use was rejected." }, 'User rejected tool use')
      else if (record.came === 'timed-out') result(i, id, { is_error: true, content: 'Command timed out after 2m 0.0s' }, 'Error: Command timed out after 2m 0.0s')
      else if (record.came === 'interrupted') line(i, { type: 'user', message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }] } })
      else if (record.behind) {
        result(i, id, { is_error: false, content: `Command running in background with ID: b${record.id}` }, { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: `b${record.id}` })
        call(i, `${id}b`, 'BashOutput', { bash_id: `b${record.id}` })
        result(i, `${id}b`, { content: `<status>${record.status === 0 ? 'completed' : 'failed'}</status>\n\n<exit_code>${record.status}</exit_code>\n\n<stdout>\n${output}\n</stdout>` }, { shellId: `b${record.id}`, command: record.command, status: record.status === 0 ? 'completed' : 'failed', exitCode: record.status, stdout: output, stderr: '' })
      } else if (record.status === 0) result(i, id, { is_error: false, content: output }, { stdout: output, stderr: '', interrupted: false, isImage: false, noOutputExpected: false })
      else result(i, id, { is_error: true, content: `Exit code ${record.status < 0 ? 137 : record.status}\n${output}` }, `Error: Exit code ${record.status < 0 ? 137 : record.status}\n${output}`)
    }
  }
  return lines(out)
}

const meta = (session, root, cli_version) => [
  { timestamp: time(0), type: 'session_meta', payload: { id: session, timestamp: time(0), cwd: root, originator: 'codex_cli_rs', cli_version, source: 'cli' } },
  { timestamp: time(0, 1), type: 'turn_context', payload: { turn_id: 't1', cwd: root, model: 'gpt-5.4' } },
]

/** `exec`: with `exec_command` and chunks, as since 0.118; else with `shell_command`, as in 0.63. */
export function codex({ session, root, records }, exec) {
  const out = meta(session, root, exec ? '0.125.0' : '0.63.0')
  const item = (i, payload, ms = 0) => out.push({ timestamp: time(i, ms), type: 'response_item', payload })
  const event = (i, payload, ms = 0) => out.push({ timestamp: time(i, ms), type: 'event_msg', payload })
  const said = (i, call_id, output) => item(i, { type: 'function_call_output', call_id, output }, 40_000)
  for (const [n, record] of records.entries()) {
    const [i, id] = [n + 1, `call_${session.slice(0, 8)}${record.id}`]
    if (record.kind === 'say') item(i, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: record.text }] })
    else if (record.kind === 'read') {
      item(i, { type: 'function_call', name: exec ? 'exec_command' : 'shell_command', arguments: JSON.stringify({ [exec ? 'cmd' : 'command']: `cat ${record.path.slice(root.length + 1)}`, workdir: root }), call_id: id })
      said(i, id, ended(exec, 0, record.text))
    } else if (record.kind === 'edit') {
      const path = record.path
      const create = record.before === null
      const patch = create ? `*** Begin Patch\n*** Add File: ${path}\n${record.after.replace(/\n$/, '').split('\n').map((one) => `+${one}`).join('\n')}\n*** End Patch` : `*** Begin Patch\n*** Update File: ${path}\n@@\n-old\n+new\n*** End Patch`
      item(i, { type: 'custom_tool_call', status: 'completed', call_id: id, name: 'apply_patch', input: patch })
      event(i, { type: 'patch_apply_end', call_id: id, turn_id: 't1', stdout: 'Success. Updated the following files:\n', stderr: '', success: true, status: 'completed', changes: { [path]: create ? { type: 'add', content: record.after } : { type: 'update', unified_diff: '@@ -1 +1 @@\n-old\n+new\n', move_path: null } } }, 20_000)
      item(i, { type: 'custom_tool_call_output', call_id: id, output: 'Success. Updated the following files:\n' }, 40_000)
    } else {
      item(i, { type: 'function_call', name: exec ? 'exec_command' : 'shell_command', arguments: JSON.stringify({ [exec ? 'cmd' : 'command']: record.command, workdir: record.cwd, ...(exec && { yield_time_ms: 1000 }) }), call_id: id })
      if (record.came === 'rejected') said(i, id, `exec_command failed for \`/bin/bash -lc '${record.command}'\`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }`)
      else if (record.came === 'timed-out') said(i, id, 'command timed out after 120000 milliseconds')
      else if (record.came === 'interrupted') said(i, id, 'aborted by user after 10.2s')
      else if (record.behind && exec) {
        const half = Math.floor(record.output.length / 2)
        const process = 40 + n
        said(i, id, `Chunk ID: 2a${record.id}\nWall time: 1.0010 seconds\nProcess running with session ID ${process}\nOriginal token count: 5\nOutput:\n${record.output.slice(0, half)}`)
        item(i, { type: 'function_call', name: 'write_stdin', arguments: JSON.stringify({ session_id: process, chars: '' }), call_id: `${id}b` }, 45_000)
        item(i, { type: 'function_call_output', call_id: `${id}b`, output: `Chunk ID: 3a${record.id}\nWall time: 5.0 seconds\nProcess exited with code ${record.status}\nOriginal token count: 2\nOutput:\n${record.output.slice(half)}` }, 50_000)
      } else said(i, id, ended(exec, record.status < 0 ? 137 : record.status, record.output))
    }
  }
  return lines(out)
}

const ended = (exec, status, output) =>
  exec
    ? `Chunk ID: 1a2b3c\nWall time: 0.5000 seconds\nProcess exited with code ${status}\nOriginal token count: ${Math.ceil(output.length / 4)}\nOutput:\n${output}`
    : `Exit code: ${status}\nWall time: 0.5 seconds\nOutput:\n${output}`
