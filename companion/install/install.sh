#!/bin/bash
# Makes a table of this computer: packages, user, rules, service, and Tableref itself.
# Safe to run again: what is there already is left as it is, and said.
#
#   sudo companion/install/install.sh             from this folder and the network
#   sudo companion/install/install.sh FILE        from a release file, without a network
#   sudo companion/install/install.sh --remove    all of it again, but for games and configuration
#
# For 64-bit Raspberry Pi OS or Debian, bookworm or trixie. What waits for a running system (in an
# image that is being made, say) is done as far as it goes, and told. Exit codes: 0 done, 1 a step
# failed, 2 wrong words or a system that is not supported.
set -euo pipefail
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1 DEBIAN_FRONTEND=noninteractive

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(dirname "$(dirname "$here")")
user=tableref
state=/var/lib/tableref
groups=(dialout gpio i2c video)
# Every table needs these.
packages=(python3-venv openssh-client polkitd udev)
# The Pi's pins and its camera; only Raspberry Pi OS has them.
pi_packages=(python3-lgpio python3-picamera2)
# File of this folder, where it goes, its mode.
files=(
  "tableref.service /etc/systemd/system 644"
  "tableref-update@.service /etc/systemd/system 644"
  "tableref-power.rules /etc/polkit-1/rules.d 644"
  "tableref-unplug /usr/lib/systemd/system-shutdown 755"
  "tableref-trial /usr/local/lib/tableref 755"
  "60-tableref.rules /etc/udev/rules.d 644"
  "60-tableref.conf /etc/systemd/journald.conf.d 644"
)
changes=0 waiting=()

fail() { echo "install.sh: $1" >&2; exit "${2:-1}"; }
same() { echo "  as it was   $1"; }
did() { echo "  done        $1"; changes=$((changes + 1)); }
later() { echo "  at the boot $1"; waiting+=("$1"); }
left_out() { echo "  left out    $1"; }
# Whether this system runs, and is no root folder of one.
runs() { [ -d /run/systemd/system ]; }

main() {
  local release=
  case "${1-}" in
    --remove) [ $# = 1 ] || usage ;;
    -*) usage ;;
    ?*) [ $# = 1 ] || usage
      [ -f "$1" ] || fail "$1: there is no such file" 2
      release=$(readlink -f "$1") ;;
    *) [ $# -le 1 ] || usage ;;
  esac
  [ "$(id -u)" = 0 ] || fail "this changes the system, so type: sudo $0 $*" 2
  if [ "${1-}" = --remove ]; then remove; return; fi
  supported
  if [ -n "$release" ]; then
    # One that is not used leaves nothing behind but the packages that it takes to read it.
    if ! can_read; then echo "packages"; install_packages; fi
    echo "release";     read_release "$release"
  fi
  echo "packages";      install_packages
  echo "user and groups"; make_user
  echo "files";         put_files
  echo "Tableref";      install_tableref "$release"
  echo "service";       enable_service
  echo "settings";      settings
  if [ $changes = 0 ]; then echo "Nothing had to be changed."; fi
  if [ ${#waiting[@]} -gt 0 ]; then
    echo "Restart this computer: then the table is switched on (${waiting[*]})."
  fi
}

usage() { fail "type: sudo $0 [RELEASE-FILE | --remove]" 2; }

supported() {
  [ -r /etc/os-release ] || fail "this is no Raspberry Pi OS or Debian: no /etc/os-release" 2
  # shellcheck disable=SC1091
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
  case "$codename" in
    bookworm | trixie) ;;
    *) fail "${codename:-this system} is not supported: write 64-bit Raspberry Pi OS, trixie or bookworm, on the card" 2 ;;
  esac
  case "$(dpkg --print-architecture)" in
    arm64 | amd64) ;;
    *) fail "this system is not 64-bit: write the 64-bit Raspberry Pi OS on the card" 2 ;;
  esac
}

can_read() { command -v python3 >/dev/null && command -v ssh-keygen >/dev/null; }

# Whether a release is whole, for this system, and signed by somebody whom this table trusts.
read_release() {
  local keys=/etc/tableref/release-keys
  [ -e $keys ] || keys=$here/release-keys
  ours update --check "$1" --keys "$keys" || fail "this release is not used; nothing of it was installed"
  same "$(cat "$said")"
}

# This folder's own Tableref, for there may be none yet; it needs nothing but Python.
ours() {
  PYTHONPATH=$checkout/companion python3 -m tableref "$@" >"$said" 2>&1 && return
  cat "$said" >&2
  return 1
}
said=$(mktemp)
trap 'rm -f "$said"' EXIT

there() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
offered() { apt-cache show "$1" >/dev/null 2>&1; }

install_packages() {
  local missing=() name wanted=()
  for name in "${packages[@]}" "${pi_packages[@]}"; do there "$name" || missing+=("$name"); done
  # Where a system offers no package for the Pi it is not asked again and again.
  if [ ${#missing[@]} -gt 0 ] && ! only_never_offered "${missing[@]}"; then
    apt-get update -qq || fail "the lists of packages cannot be had: is there a network?"
  fi
  for name in "${packages[@]}" "${pi_packages[@]}"; do
    if there "$name"; then same "$name"
    elif offered "$name"; then wanted+=("$name")
    elif [[ " ${pi_packages[*]} " == *" $name "* ]]; then
      left_out "$name: only Raspberry Pi OS has it, so no $(what_for "$name")"
    else fail "$name: this system's lists of packages do not have it"
    fi
  done
  [ ${#wanted[@]} -gt 0 ] || return 0
  # Two hundred of the packages that are recommended nobody wants at a table.
  apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null \
    || fail "apt has not installed ${wanted[*]}"
  for name in "${wanted[@]}"; do did "$name"; done
}

# Whether there is nothing to hope for from new lists: these are the Pi's, and no archive of the
# Raspberry Pi is set up.
only_never_offered() {
  local name
  grep -rqsi 'raspberrypi' /etc/apt/sources.list /etc/apt/sources.list.d && return 1
  for name in "$@"; do
    [[ " ${pi_packages[*]} " == *" $name "* ]] || return 1
    offered "$name" && return 1
  done
  return 0
}

what_for() { case "$1" in *lgpio) echo "buttons and lights on pins" ;; *) echo "Pi camera (a USB camera works)" ;; esac; }

make_user() {
  local group
  for group in "${groups[@]}"; do
    if getent group "$group" >/dev/null; then same "group $group"
    else groupadd --system "$group" && did "group $group"; fi
  done
  if getent passwd $user >/dev/null; then same "user $user"
  else
    useradd --system --user-group --home-dir $state --no-create-home --shell /usr/sbin/nologin $user
    did "user $user"
  fi
  for group in "${groups[@]}"; do
    if id -nG $user | tr ' ' '\n' | grep -qx "$group"; then same "$user in $group"
    else usermod -aG "$group" $user && did "$user in $group"; fi
  done
}

put_files() {
  local entry name folder mode
  for entry in "${files[@]}"; do
    read -r name folder mode <<<"$entry"
    put "$here/$name" "$folder/$name" "$mode"
  done
  if [ -e /etc/tableref/release-keys ]; then same /etc/tableref/release-keys  # somebody may have put his own
  else put "$here/release-keys" /etc/tableref/release-keys 644; fi
  if [ "$(readlink /usr/local/bin/tableref)" = /opt/tableref/current/bin/tableref ]; then
    same /usr/local/bin/tableref
  elif [ -e /usr/local/bin/tableref ]; then
    fail "/usr/local/bin/tableref is somebody else's: move it away, and run this again"
  else
    ln -s -f /opt/tableref/current/bin/tableref /usr/local/bin/tableref
    did /usr/local/bin/tableref
  fi
}

put() {
  if [ -f "$2" ] && cmp -s "$1" "$2" && [ "$(stat -c %a "$2")" = "$3" ]; then same "$2"
  else
    install -D -m "$3" "$1" "$2.new" && mv "$2.new" "$2"
    did "$2"
    changed+=" $2"
  fi
}
changed=

install_tableref() {
  local words=(--source "$checkout")
  [ -z "$1" ] || words=("$1" --older)
  ours update --no-restart "${words[@]}" \
    || fail "Tableref could not be installed; what was there before stays"
  if grep -q "runs already" "$said"; then same "$(cat "$said")"; else did "$(cat "$said")"; fi
}

enable_service() {
  if ! runs; then
    # Only links are made: nothing has to run for that.
    if systemctl is-enabled --quiet tableref 2>/dev/null; then same "starts with the computer"
    elif systemctl enable --quiet tableref 2>/dev/null; then did "starts with the computer"
    else fail "the service cannot be set up: install systemd (apt install systemd-sysv)"; fi
    later "the service starts"
    return
  fi
  case "$changed" in *journald*) systemctl restart systemd-journald && did "new limits of the log" ;; esac
  case "$changed" in *udev*) udevadm control --reload && udevadm trigger && did "new rules of devices" ;; esac
  case "$changed" in *.service*) systemctl daemon-reload && did "new rules of the service" ;; esac
  if systemctl is-enabled --quiet tableref; then same "starts with the computer"
  else systemctl enable --quiet tableref && did "starts with the computer"; fi
  if [ $changes = 0 ] && systemctl is-active --quiet tableref; then same "runs"
  elif systemctl restart tableref; then did "runs"
  else fail "it does not start: journalctl -u tableref -n 30 says why"; fi
}

settings() {
  # The display's bus; only Raspberry Pi OS has a switch for it.
  if ! command -v raspi-config >/dev/null; then
    left_out "I2C of the display: no raspi-config here"
  elif [ "$(raspi-config nonint get_i2c)" = 0 ]; then same "I2C of the display"
  else
    raspi-config nonint do_i2c 0 || fail "I2C cannot be switched on: sudo raspi-config, Interface Options"
    did "I2C of the display"
    runs || later "I2C"
  fi
}

remove() {
  local entry name folder _
  if runs; then systemctl disable --now --quiet tableref || true
  else systemctl disable --quiet tableref 2>/dev/null || true; fi
  for entry in "${files[@]}"; do
    read -r name folder _ <<<"$entry"
    rm -f "$folder/$name"
  done
  rm -f /usr/local/bin/tableref
  rm -rf /opt/tableref /usr/local/lib/tableref
  if runs; then systemctl daemon-reload; fi
  echo "Removed. Games and configuration stay in $state, keys in /etc/tableref, the user stays:"
  echo "  sudo rm -r $state /etc/tableref; sudo userdel $user"
}

main "$@"
