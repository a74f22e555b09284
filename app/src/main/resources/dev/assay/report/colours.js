/* One colour for one wait event, on every chart and in every table. */
window.assayColours = (function () {
  'use strict';
  var named = {
    'CPU': '#4f9d69', 'waiting for a core': '#a8cdb3', 'LWLock:LockManager': '#c8453b', 'outside the server': '#b4b2ab',
    'Client:ClientRead': '#c7a348', 'IO:DataFileRead': '#3f7fb5', 'IO:WALSync': '#2f5f92', 'LWLock:WALWrite': '#7b4f9e',
    'Lock:transactionid': '#e0862a', 'Lock:tuple': '#eaa95c', 'LWLock:BufferMapping': '#a05c93', 'LWLock:BufferContent': '#8a5fb5',
    'IPC:ProcArrayGroupUpdate': '#6a78c4'
  };
  var families = {
    Lock: ['#e0862a', '#d9a13b', '#c46f1b'], LWLock: ['#a05c93', '#8a5fb5', '#c987a8'], IO: ['#3f7fb5', '#6aa3d0', '#2f5f92'],
    IPC: ['#6a78c4', '#98a2dc'], Client: ['#c7a348', '#a98a35'], BufferPin: ['#5aa6a6'], Timeout: ['#8f7d6a'], Extension: ['#9a8f5f']
  };
  function hash(text) {
    var sum = 0;
    for (var i = 0; i < text.length; i++) { sum = (sum * 31 + text.charCodeAt(i)) % 65521; }
    return sum;
  }
  function of(event) {
    if (Object.prototype.hasOwnProperty.call(named, event)) { return named[event]; }
    var type = event.split(':')[0];
    if (!Object.prototype.hasOwnProperty.call(families, type)) { return '#86888c'; }
    var family = families[type];
    return family[hash(event) % family.length];
  }
  return { of: of };
})();
